// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/contact/contact_problem.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace Percuss
{
  /// A problem of the collection FCLIB (Acary, Bremond, Koziara, Perignon,
  /// INRIA RT-0444, 2014): find r, u with
  /// @f[ u = W r + q, \qquad K^* \ni u + \mu |u_T|\,e_N \perp r \in K, \qquad
  ///     K = \{|r_T| \le \mu\,r_N\} @f]
  /// for each contact, which has as many rows as space has dimensions, the
  /// normal one first. With rolling friction (Acary, Bourrier, Eur. J. Mech. A
  /// 85, 2021) a contact has two rows more,
  /// @f[ K^* \ni u + (\mu |u_T| + \mu_r |u_R|)\,e_N \perp r \in K, \qquad
  ///     K = \{|r_T| \le \mu\,r_N,\ |r_R| \le \mu_r\,r_N\}. @f]
  /// All rows, on each rank.
  struct FclibProblem
  {
    std::string         title, description, math_info;
    unsigned int        space_dimension = 3; ///< rows of a contact: 2, 3 or 5
    SparseMatrix::Rows  W;
    std::vector<double> q;        ///< for each row
    std::vector<double> mu;       ///< for each contact
    std::vector<double> mu_r;     ///< for each contact; empty without rolling
    std::vector<double> guess;    ///< r to start from, or empty
    std::vector<double> solution; ///< r, or empty
    std::vector<double> velocity; ///< u of the solution, or empty
    std::string         remark;   ///< how the file was understood, or empty
  };

  /// Reads a problem in local or global form. Of the global one,
  /// @f[ M v = H r + G \ell + f, \qquad u = H^T v + w, \qquad G^T v + b = 0,
  /// @f]
  /// v and l are eliminated, and l of a local one with equality constraints,
  /// @f[ u = W r + V \ell + q, \qquad V^T r + R\,\ell + s = 0. @f]
  /// A matrix M with entries on one side of its diagonal only is one half of a
  /// symmetric matrix. Rank 0 reads. Collective.
  /// @throws Error with ExitCode::mesh where the file is missing, damaged, or
  /// of another kind
  FclibProblem
  read_fclib_file(const std::filesystem::path &path, MPI_Comm communicator);

  /// Replaces a file as a whole by a problem in local form, with the
  /// velocities W r + q for each r. On one rank.
  /// @throws Error with ExitCode::io
  void
  write_fclib_file(const std::filesystem::path &path,
                   const FclibProblem          &problem);

  /// The active contacts of a problem, with a guess and, where it is known, a
  /// solution. All contacts get as many directions as the one with the most,
  /// at least two and five where one can roll. Those that are added belong to
  /// no motion: an entry on the diagonal of W, the one of the normal direction,
  /// keeps their impulses zero. Without the entries of W it is applied to all
  /// unit vectors. Collective.
  FclibProblem
  to_fclib(const ContactProblem &problem,
           const Vector         &guess,
           const Vector         *solution = nullptr);

  /// The collection's measure of an error,
  /// @f[ |r - P_K(r - (u + (\mu|u_T| + \mu_r|u_R|)\,e_N))| / |q|, @f]
  /// with the norm over all rows. It depends on the units of mass, as
  /// natural_residual() does not. Collective.
  double
  fclib_error(const ContactProblem &problem, const Vector &r);



  /// A contact problem that owns its parts, with Coulomb's law and the rows of
  /// whole contacts in even shares on the ranks.
  class StoredProblem
  {
  public:
    /// @p all is the same on all ranks. Collective.
    StoredProblem(const FclibProblem &all, MPI_Comm communicator);
    StoredProblem(const StoredProblem &) = delete;
    StoredProblem &
    operator=(const StoredProblem &) = delete;

    /// Valid as long as this object. W counts as symmetric where it is so up
    /// to 1e-12 of its largest entry and has no negative diagonal.
    const ContactProblem &
    problem() const
    {
      return *contact_problem;
    }

    /// This rank's share of a vector with an entry for each row; of an empty
    /// one, zeros.
    Vector
    share(const std::vector<double> &all) const;

  private:
    std::unique_ptr<ContactLaw>     law;
    std::vector<ContactPoint>       points;
    Partition                       partition;
    std::unique_ptr<SparseMatrix>   matrix;
    std::unique_ptr<DelassusMatrix> W;
    std::unique_ptr<ContactProblem> contact_problem;
  };
} // namespace Percuss
