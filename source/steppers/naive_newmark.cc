// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/naive_newmark.h>

namespace Percuss
{
  void
  NaiveNewmark::Parameters::declare(ParameterSection &section)
  {
    section.add("gamma",
                gamma,
                "Of Newmark; consistent with impacts for 1 only",
                Range::between(0.5, 1));
    section.add("beta", beta, "At least gamma/2", Range::between(0, 1));
    section.require("beta", [this]() {
      return 2 * beta < gamma ?
               "is below gamma/2, and long steps would be unstable" :
               std::string();
    });
  }



  NaiveNewmark::NaiveNewmark(const Parameters &parameters,
                             const Context    &context)
    : model(context.model)
    , contacts(model.contacts())
    , smooth({0, 0, parameters.gamma, parameters.beta}, context)
    , mu(contacts.partition())
    , impulse(model.partition())
    , change(model.partition())
  {}



  void
  NaiveNewmark::set_step_size(const double h)
  {
    smooth.set_step_size(h);
    set_response(h, [this](const Vector &load, Vector &velocity) {
      return smooth.solve(load, velocity);
    });
  }



  void
  NaiveNewmark::start(State &state) const
  {
    state.memory.push_back(
      {"impulse", Vector(contacts.partition()), State::Kind::contact});
    smooth.start(state);
    state.memory.push_back(
      {"contact force", Vector(contacts.partition()), State::Kind::contact});
  }



  void
  NaiveNewmark::advance(const State &begin,
                        State       &end,
                        StepReport  &report) const
  {
    const double h = smooth.step_size(), gamma = smooth.gamma;
    smooth.advance(begin, end, report);
    mu.equ(h * gamma, begin.memory.back().values);
    solve_contacts(begin, end, mu, report);
    if (ContactResponse::count(mu) > 0)
      {
        contacts.impulses(mu, impulse);
        report.add(smooth.solve(impulse, change));
        end.v += change;
        end.q.add(h * smooth.beta / gamma, change);
        AlphaStep::acceleration(end).add(1 / (h * gamma), change);
      }
    Vector &lambda = end.memory.front().values;
    lambda.equ(h * (1 - gamma), begin.memory.back().values);
    lambda += mu;
    end.memory.back().values.equ(1 / (h * gamma), mu);
    report.n_active = std::max(report.n_active, ContactResponse::count(lambda));
  }



  EnergyPromise
  NaiveNewmark::promise() const
  {
    EnergyPromise promise        = smooth.promise();
    promise.force_lag            = 1 / smooth.step_size();
    promise.promises_dissipation = false;
    promise.hypotheses.clear();
    return promise;
  }
} // namespace Percuss
