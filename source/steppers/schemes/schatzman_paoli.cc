// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/steppers/contact_response.h>
#include <percuss/steppers/theta_step.h>

namespace Percuss
{
  namespace
  {
    /// The position scheme of L. Paoli and M. Schatzman (SIAM J. Numer. Anal.
    /// 40, 2002; V. Acary, seminar slides 2013, equation (28)),
    /// @f[ M (q_{k+1} - 2 q_k + q_{k-1}) - h^2 F_{k+\theta} = h D^T\lambda,
    ///     \qquad 0 \le g\Bigl(\frac{q_{k+1} + e q_{k-1}}{1+e}\Bigr) \perp
    ///     \lambda \ge 0. @f]
    /// The velocity of the state is that of the last interval,
    /// v_{k+1} = (q_{k+1} - q_k)/h: with it the scheme is a one-step map,
    /// @f[ M (v_{k+1} - v_k) = h F_{k+\theta} + D^T\lambda, \qquad
    ///     q_{k+1} = q_k + h v_{k+1}, @f]
    /// q_{k-1} = q_k - h v_k, and it has an energy balance. (The slides'
    /// v_{k+1} = (q_{k+1}-q_{k-1})/(2h) is the mean of two such velocities.)
    /// It starts with v_0 as the velocity before the first step. Order 1;
    /// Newton's law is met over two steps. Friction is Coulomb's law for the
    /// tangential velocity u_T = D_T v of the last interval,
    /// @f[ -(u_{T,k+1} + e_T u_{T,k}) \in N_{D(\mu\lambda_N)}(\lambda_T), @f]
    /// so that a contact that sticks keeps its place exactly (e_T = 0).
    class SchatzmanPaoli : public TimeStepper
    {
    public:
      struct Parameters
      {
        double theta = 0.5;

        void
        declare(ParameterSection &section)
        {
          section.add("theta",
                      theta,
                      "Where the smooth forces are taken: 0 is explicit and "
                      "stable for short steps only, 1/2 and more for all",
                      Range::between(0, 1));
        }
      };

      SchatzmanPaoli(const Parameters &parameters, const Context &context)
        : contacts(context.model.contacts())
        , motion({parameters.theta, 1, parameters.theta}, context)
        , delassus(context)
        , gap(contacts.partition())
        , b(contacts.partition())
        , u_free(contacts.partition())
        , u_begin(contacts.partition())
        , position(context.model.partition())
        , impulse(context.model.partition())
      {
        invertible_mass(context.model); // an impact law needs a mass
      }

      void
      set_step_size(const double h) override
      {
        motion.set_step_size(h);
        delassus.set([this](const Vector &load, Vector &velocity) {
          return motion.respond(load, velocity);
        });
      }

      void
      start(State &state) const override
      {
        state.memory.push_back(
          {"impulse", Vector(contacts.partition()), State::Kind::contact});
      }

      void
      advance(const State &begin,
              State       &end,
              StepReport  &report) const override;

      bool
      treats_friction() const override
      {
        return true;
      }

      EnergyPromise
      promise() const override
      {
        return motion.promise();
      }

      std::string
      linear_solver_description() const override
      {
        return motion.solver_description();
      }

    private:
      /// b = [g(q_k + h v_free) + e g(q_k - h v_k)] / h.
      void
      set_up_law(const State &begin, const Vector &v_free) const;

      /// b_T = D_T v_free + e_T D_T v_k.
      void
      set_up_friction(const State &begin, const Vector &v_free) const;

      const ContactSet &contacts;
      ThetaStep         motion;
      ContactResponse   delassus;
      mutable Vector    gap, b, u_free, u_begin, position, impulse;
    };



    void
    SchatzmanPaoli::set_up_law(const State &begin, const Vector &v_free) const
    {
      const double h = motion.step_size();
      position.equ(1, begin.q);
      position.add(-h, begin.v);
      contacts.gaps(position, gap);
      position.equ(1, begin.q);
      position.add(h, v_free);
      contacts.gaps(position, b);
      for (const ContactPoint &point : contacts.points())
        b.local_element(point.first) =
          (b.local_element(point.first) +
           point.restitution * gap.local_element(point.first)) /
          h;
      if (contacts.largest_frictional_block() > 1)
        set_up_friction(begin, v_free);
    }



    void
    SchatzmanPaoli::set_up_friction(const State  &begin,
                                    const Vector &v_free) const
    {
      contacts.velocities(v_free, u_free);
      contacts.velocities(begin.v, u_begin);
      for (const ContactPoint &point : contacts.points())
        for (unsigned int i = 1; i < point.n_directions; ++i)
          b.local_element(point.first + i) =
            u_free.local_element(point.first + i) +
            point.tangential_restitution *
              u_begin.local_element(point.first + i);
    }



    void
    SchatzmanPaoli::advance(const State &begin,
                            State       &end,
                            StepReport  &report) const
    {
      motion.solve_free(begin, end, report);
      Vector &lambda = end.memory.front().values;
      lambda         = impulses(begin);
      set_up_law(begin, end.v);
      report.add(delassus.solve_all(b, lambda));
      report.n_active = ContactResponse::count(lambda);
      if (report.n_active > 0)
        {
          contacts.impulses(lambda, impulse);
          motion.add_impulse(impulse, end, report);
        }
      motion.move(begin, end);
    }

    const Registration<TimeStepper, SchatzmanPaoli> registration(
      "schatzman paoli",
      "position-level scheme with restitution over two steps",
      {{"order", "1, also in smooth motion"},
       {"energy", "balance known; no inequality is promised"},
       {"penetration", "up to 2e/(1+e) h times the impact velocity"}});
  } // namespace
} // namespace Percuss
