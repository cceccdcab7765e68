// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/contact/contact_solver.h>
#include <percuss/contact/gradient_projection.h>
#include <percuss/linear_algebra/fused_operations.h>
#include <percuss/linear_algebra/work_space.h>

#include <deal.II/base/mpi.h>

#include <petscksp.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace Percuss
{
  namespace
  {
    constexpr unsigned int largest_number_of_directions = 20000;

    using Precondition = MotionSystem::Precondition;

    /// A preconditioner of PETSc for one state of one matrix.
    class Preconditioner
    {
    public:
      Preconditioner(const SparseMatrix &matrix, const std::string &name);

      /// Whether it was made of the present values of @p matrix.
      bool
      belongs_to(const SparseMatrix &matrix) const
      {
        return identity(matrix) == made_of;
      }

      void
      apply(const Vector &r, Vector &z)
      {
        check_petsc(PCApply(pc, r_view.look_at(r), z_view.look_at(z)));
        r_view.release();
        z_view.release();
      }

    private:
      /// PETSc never gives the same number to two objects, and new values of a
      /// SparseMatrix make a new one.
      static PetscObjectId
      identity(const SparseMatrix &matrix);

      const PetscObjectId         made_of;
      PetscHandle<PC, &PCDestroy> pc;
      PetscView                   r_view, z_view;
    };



    class Iteration;

    /// Primal-dual active sets, a semismooth Newton method (Hintermueller, Ito,
    /// Kunisch, SIAM J. Optim. 13, 2002), on the BoundedProgramme of the
    /// contacts: unknowns with x - g/diag(H) beyond a bound are put there, and
    /// the others solve
    /// @f[ (H x - f)_\mathrm{free} = 0 @f]
    /// by conjugate gradients in the subspace of the free ones, with a
    /// preconditioner of A that is kept while A stays, or the diagonal of W.
    /// The linear systems are solved only a little better than the set is
    /// known, and better where a set comes back. One that still does would come
    /// back for ever: then GradientProjection, which cannot cycle, goes on.
    /// Counts the sets as iterations, and then the products with A or W.
    class ActiveSet : public ContactSolver
    {
    public:
      struct Parameters
      {
        std::string  preconditioner     = "linear solver";
        unsigned int maximum_iterations = 100;

        void
        declare(ParameterSection &section)
        {
          section.add_choice("preconditioner",
                             preconditioner,
                             "Of the system behind the contacts: that of the "
                             "linear solver, or another one. ICC suits "
                             "steps of some times the wave's time across an "
                             "element; GAMG suits longer ones; matrices "
                             "without entries have jacobi",
                             {"linear solver", "jacobi", "icc", "gamg"});
          section.add("maximum iterations",
                      maximum_iterations,
                      "More active sets than this count as failure",
                      1);
        }
      };

      ActiveSet(const Parameters &parameters, const Context &context)
        : ContactSolver("active set",
                        {SolverNeeds::Form::any, true, 1},
                        context)
        , parameters(parameters)
      {}

      bool
      run_motion(const ContactProblem &problem,
                 const Vector         &f,
                 Vector               &w,
                 Vector               &lambda,
                 ContactReport        &report) const override;

    protected:
      unsigned int
      run(const ContactProblem &problem, Vector &lambda) const override;

    private:
      /// From a guess in @p iteration. Fills @p lambda and returns the number
      /// of iterations.
      unsigned int
      minimise(const BoundedProgramme &programme,
               Iteration              &iteration,
               Vector                 &lambda) const;

      /// The same without sets. Returns the number of products.
      unsigned int
      project_gradients(const BoundedProgramme &programme,
                        Vector                 &x,
                        Vector                 &lambda) const;

      /// None for a diagonal one.
      Precondition
      find_preconditioner(const BoundedProgramme &programme,
                          const GlobalForm       *form) const;

      const Parameters                        parameters;
      mutable std::unique_ptr<Preconditioner> kept;
    };



    PetscObjectId
    Preconditioner::identity(const SparseMatrix &matrix)
    {
      PetscObjectId id;
      check_petsc(
        PetscObjectGetId(reinterpret_cast<PetscObject>(matrix.petsc()), &id));
      return id;
    }



    Preconditioner::Preconditioner(const SparseMatrix &matrix,
                                   const std::string  &name)
      : made_of(identity(matrix))
      , r_view(matrix.partition())
      , z_view(matrix.partition())
    {
      check_petsc(
        PCCreate(matrix.partition()->get_mpi_communicator(), pc.receive()));
      check_petsc(PCSetOperators(pc, matrix.petsc(), matrix.petsc()));
      // Incomplete factors are those of each rank's block.
      check_petsc(PCSetType(pc, name == "icc" ? PCBJACOBI : name.c_str()));
      check_petsc(PCSetOptionsPrefix(pc, "contact_"));
      check_petsc(PCSetFromOptions(pc));
      check_petsc(PCSetUp(pc));
      if (name != "icc")
        return;
      KSP *blocks;
      PC   factors;
      check_petsc(PCBJacobiGetSubKSP(pc, nullptr, nullptr, &blocks));
      check_petsc(KSPGetPC(blocks[0], &factors));
      check_petsc(PCSetType(factors, PCICC));
      check_petsc(PCSetUp(factors));
    }



    /// Newton's iteration on sets of free unknowns.
    class Iteration
    {
    public:
      Iteration(const BoundedProgramme &programme,
                const Precondition     &preconditioner);

      /// Chooses the set for x and its gradient and puts the others to their
      /// bounds. Returns the number of unknowns of all ranks that changed.
      unsigned int
      choose_set();

      /// A number of the set, the same on all ranks.
      std::uint64_t
      fingerprint() const;

      /// Conjugate gradients until the residual of the free unknowns, as in
      /// BoundedProgramme::residual(), is at most @p target, or fell by
      /// @p reduction and another set has to be chosen.
      void
      solve_in_face(double target, double reduction)
      {
        if (programme.on_any_rank(has_moved))
          programme.gradient(x, g);
        has_moved = false;
        hide_held();
        iterate(target, reduction);
        show_held();
      }

      double
      residual() const
      {
        return programme.residual(x, g) * amplification(programme, quotients);
      }

      PooledVector x, g;

    private:
      enum class Place : unsigned char
      {
        free,
        lower,
        upper
      };

      Place
      place_of(unsigned int i) const;

      /// Whether choose_set() would not change anything, on any rank.
      bool
      is_good_set();

      /// What solve_in_face() does while the gradient of those at bounds is
      /// hidden.
      void
      iterate(double target, double reduction);

      /// Puts the gradient of the unknowns at bounds aside, so that g is that
      /// of the free ones and zero elsewhere, and back.
      void
      hide_held();
      void
      show_held();

      /// z = M^-1 g for the free unknowns, zero elsewhere. Returns g.z.
      double
      precondition();

      /// x -= s p, and the gradients with it. Returns the largest violation of
      /// the free ones.
      double
      step_along_direction(double s);

      const BoundedProgramme &programme;
      const Precondition      preconditioner;
      std::vector<Place>      places;
      std::vector<unsigned>   bounded;   ///< unknowns
      std::vector<double>     put_aside; ///< gradients of bounded ones
      PooledVector            z, p, Hp;
      RayleighQuotients       quotients;
      bool                    has_moved = true; ///< x, since g was found
    };



    Iteration::Iteration(const BoundedProgramme &programme,
                         const Precondition     &preconditioner)
      : x(programme.partition())
      , g(programme.partition())
      , programme(programme)
      , preconditioner(preconditioner)
      , places(programme.size(), Place::free)
      , z(programme.partition())
      , p(programme.partition())
      , Hp(programme.partition())
    {
      for (unsigned int i = 0; i < programme.size(); ++i)
        if (std::isfinite(programme.lower[i]) ||
            std::isfinite(programme.upper[i]))
          bounded.push_back(i);
      put_aside.resize(bounded.size());
    }



    Iteration::Place
    Iteration::place_of(const unsigned int i) const
    {
      const double lower = programme.lower[i], upper = programme.upper[i];
      const double goal =
        x.local_element(i) - g.local_element(i) * programme.inverse_diagonal[i];
      return lower == upper || goal < lower ? Place::lower :
             goal > upper                   ? Place::upper :
                                              Place::free;
    }



    bool
    Iteration::is_good_set()
    {
      show_held();
      double n_changes = 0;
      for (const unsigned int i : bounded)
        n_changes += place_of(i) != places[i];
      hide_held();
      programme.add_up(&n_changes, 1);
      return n_changes == 0;
    }



    unsigned int
    Iteration::choose_set()
    {
      double n_changes = 0;
      for (const unsigned int i : bounded)
        {
          const Place place = place_of(i);
          n_changes += place != places[i];
          places[i] = place;
          if (place == Place::free)
            continue;
          const double bound =
            place == Place::lower ? programme.lower[i] : programme.upper[i];
          has_moved |= x.local_element(i) != bound;
          x.local_element(i) = bound;
        }
      programme.add_up(&n_changes, 1);
      return static_cast<unsigned int>(n_changes);
    }



    std::uint64_t
    Iteration::fingerprint() const
    {
      std::uint64_t       sum   = 0;
      const std::uint64_t first = programme.partition()->local_range().first;
      for (const unsigned int i : bounded)
        {
          // The mixing function of Steele, Lea, Flood (OOPSLA 2014).
          std::uint64_t key =
            (3 * (first + i) + static_cast<unsigned char>(places[i])) *
            0x9e3779b97f4a7c15;
          key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9;
          key = (key ^ (key >> 27)) * 0x94d049bb133111eb;
          sum += key ^ (key >> 31);
        }
      const MPI_Comm communicator =
        programme.partition()->get_mpi_communicator();
      MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, communicator);
      return sum;
    }



    void
    Iteration::hide_held()
    {
      for (std::size_t b = 0; b < bounded.size(); ++b)
        if (const unsigned int i = bounded[b]; places[i] != Place::free)
          {
            put_aside[b]       = g.local_element(i);
            g.local_element(i) = 0;
          }
    }



    void
    Iteration::show_held()
    {
      for (std::size_t b = 0; b < bounded.size(); ++b)
        if (const unsigned int i = bounded[b]; places[i] != Place::free)
          g.local_element(i) = put_aside[b];
    }



    double
    Iteration::precondition()
    {
      if (preconditioner)
        {
          programme.precondition(preconditioner, g, z);
          for (const unsigned int i : bounded)
            if (places[i] != Place::free)
              z.local_element(i) = 0;
        }
      else
        for (unsigned int i = 0; i < programme.size(); ++i)
          z.local_element(i) =
            g.local_element(i) * programme.inverse_diagonal[i];
      double gz = local_product(g, z);
      programme.add_up(&gz, 1);
      return gz;
    }



    double
    Iteration::step_along_direction(const double s)
    {
      for (std::size_t b = 0; b < bounded.size(); ++b)
        if (const unsigned int i = bounded[b]; places[i] != Place::free)
          {
            put_aside[b] -= s * Hp.local_element(i);
            Hp.local_element(i) = 0;
          }
      return programme.step_back(s, p, Hp, x, g);
    }



    void
    Iteration::iterate(const double target, const double reduction)
    {
      const auto least = [&]() {
        return target * programme.largest_velocity() /
               amplification(programme, quotients);
      };
      double largest = programme.largest_violation(g);
      double goal    = reduction * largest;
      if (largest <= least())
        return;
      double gz = precondition();
      p         = z;
      for (unsigned int i = 0; i < largest_number_of_directions; ++i)
        {
          programme.multiply(p, Hp);
          const Products products = local_products(p, Hp, programme.diagonal);
          double         sums[2]  = {products.with_other, products.with_itself};
          programme.add_up(sums, 2);
          // Not for directions that H maps to zero up to round-off.
          if (!(sums[0] > 1e-15 * quotients.largest * sums[1]))
            return;
          quotients.add(sums[0] / sums[1]);
          largest = step_along_direction(gz / sums[0]);
          if (largest <= least() || (largest <= goal && !is_good_set()))
            return;
          if (largest <= goal)
            goal *= 0.1;
          const double old_gz = gz;
          gz                  = precondition();
          if (!(gz > 0)) // round-off
            return;
          p.sadd(gz / old_gz, z);
        }
    }



    Precondition
    ActiveSet::find_preconditioner(const BoundedProgramme &programme,
                                   const GlobalForm *const form) const
    {
      if (!programme.is_primal() || parameters.preconditioner == "jacobi")
        return {};
      if (parameters.preconditioner == "linear solver")
        return [form](const Vector &r, Vector &z) {
          form->inverse.precondition(r, z);
        };
      const SparseMatrix &A = *programme.matrix();
      if (!A.has_entries())
        return {};
      if (kept == nullptr || !kept->belongs_to(A))
        kept = std::make_unique<Preconditioner>(A, parameters.preconditioner);
      return [this](const Vector &r, Vector &z) { kept->apply(r, z); };
    }



    unsigned int
    ActiveSet::run(const ContactProblem &problem, Vector &lambda) const
    {
      const BoundedProgramme programme(problem);
      Iteration              iteration(programme,
                          find_preconditioner(programme,
                                              problem.W.global_form()));
      programme.guess(lambda, iteration.x);
      programme.guess_gradient(lambda, iteration.x, iteration.g);
      return minimise(programme, iteration, lambda);
    }



    bool
    ActiveSet::run_motion(const ContactProblem &problem,
                          const Vector         &f,
                          Vector               &w,
                          Vector               &lambda,
                          ContactReport        &report) const
    {
      BoundedProgramme programme(problem, &f);
      if (!programme.is_primal())
        return false;
      programme.expect(lambda);
      Iteration iteration(programme,
                          find_preconditioner(programme,
                                              problem.W.global_form()));
      programme.guess_from_motion(w, lambda, iteration.x);
      programme.guess_gradient(lambda, iteration.x, iteration.g);
      report.n_iterations = minimise(programme, iteration, lambda);
      programme.take_motion(iteration.x, w);
      return true;
    }



    unsigned int
    ActiveSet::minimise(const BoundedProgramme &programme,
                        Iteration              &iteration,
                        Vector                 &lambda) const
    {
      const double            target = 0.1 * tolerance;
      std::set<std::uint64_t> old_sets;
      double                  reduction = 0.1; // of the residual, for a new set
      unsigned int            n_sets    = 0;
      bool                    is_exact  = false;
      while (n_sets < parameters.maximum_iterations)
        {
          const bool is_new = iteration.choose_set() > 0 || n_sets == 0;
          if (is_new && !old_sets.insert(iteration.fingerprint()).second)
            {
              // Because its system was solved too roughly, or in a cycle.
              reduction *= 0.01;
              old_sets.clear();
            }
          if (reduction < 1e-8 || (!is_new && is_exact))
            break;
          iteration.solve_in_face(target, is_new ? reduction : 0);
          ++n_sets;
          is_exact = !is_new;
          if (iteration.residual() > target)
            continue;
          programme.impulses(iteration.x, iteration.g, lambda);
          return n_sets;
        }
      // A set came back, or its system has no solution.
      return n_sets + project_gradients(programme, iteration.x, lambda);
    }



    unsigned int
    ActiveSet::project_gradients(const BoundedProgramme &programme,
                                 Vector                 &x,
                                 Vector                 &lambda) const
    {
      programme.project(x);
      GradientProjection method(programme);
      const unsigned int n_products =
        method.minimise(0.1 * tolerance, largest_number_of_directions, x);
      programme.impulses(x, method.gradient(), lambda);
      return n_products;
    }

    const Registration<ContactSolver, ActiveSet>
      registration("active set",
                   "primal-dual active sets with conjugate gradients, "
                   "distributed, for very many contacts; no friction");
  } // namespace
} // namespace Percuss
