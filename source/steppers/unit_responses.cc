// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/steppers/unit_responses.h>

#include <deal.II/base/mpi.h>

#include <boost/serialization/utility.hpp>

namespace Percuss
{
  UnitResponses::UnitResponses(const MechanicalModel           &model,
                               const ContactResponse::Response &response)
    : model(model)
    , response(response)
    , touched(model.contacts().touched_dofs())
    , unit(model.partition())
    , of_all(model.partition())
  {}



  const std::vector<double> &
  UnitResponses::of_unit(const unsigned int dof, LinearReport &report) const
  {
    if (const auto found = known.find(dof); found != known.end())
      return found->second;
    unit = 0.;
    if (model.partition()->in_local_range(dof))
      unit(dof) = 1;
    const LinearReport solved = response(unit, of_all);
    report.converged &= solved.converged;
    report.n_iterations += solved.n_iterations;
    std::vector<double> &values = known[dof];
    for (const unsigned int i : touched)
      values.push_back(of_all.local_element(i));
    return values;
  }



  LinearReport
  UnitResponses::respond(const Vector &impulse, Vector &result) const
  {
    const auto first =
      static_cast<unsigned int>(model.partition()->local_range().first);
    acting.clear();
    for (const unsigned int i : touched)
      if (impulse.local_element(i) != 0)
        acting.emplace_back(first + i, impulse.local_element(i));
    LinearReport report{true, 0};
    result         = 0.;
    const auto add = [&](const auto &all) {
      for (const auto &[dof, value] : all)
        {
          const std::vector<double> &of_dof = of_unit(dof, report);
          for (std::size_t i = 0; i < touched.size(); ++i)
            result.local_element(touched[i]) += value * of_dof[i];
        }
    };
    if (model.partition()->n_mpi_processes() == 1)
      add(acting);
    else
      for (const auto &part :
           dealii::Utilities::MPI::all_gather(model.communicator, acting))
        add(part);
    if (!report.converged)
      known.clear(); // a later step may have a better tangent
    return report;
  }
} // namespace Percuss
