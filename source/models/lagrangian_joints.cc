// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "lagrangian_joints.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace Percuss
{
  LagrangianJoints::LagrangianJoints(const LagrangianParameters &parameters,
                                     const LagrangianNames      &names,
                                     const bool                  is_owner)
    : is_owner(is_owner)
    , n_coordinates(names.size())
  {
    const FormulaEntry   entry("constraints", parameters.constraints);
    std::vector<Formula> g, G, curvature_formulas;
    for (const auto &item : entry.items())
      {
        const Formula joint = entry.formula(item.text, names.all);
        g.push_back(joint);
        joint_names.push_back(item.name);
        Formula rate;
        for (unsigned int i = 0; i < names.size(); ++i)
          {
            if (joint.depends_on(names.velocity(i)))
              entry.refuse("'" + item.name + "' depends on a velocity.");
            G.push_back(joint.derivative(names.position(i)));
            rate += G.back() * Formula::variable(names.velocity(i));
          }
        if (joint.depends_on(names.time()))
          entry.refuse("'" + item.name + "' depends on time.");
        Formula curvature_of_joint;
        for (unsigned int i = 0; i < names.size(); ++i)
          curvature_of_joint += rate.derivative(names.position(i)) *
                                Formula::variable(names.velocity(i));
        curvature_formulas.push_back(curvature_of_joint);
      }
    n_joints   = static_cast<unsigned int>(g.size());
    values     = CompiledFormulas(g, names.all);
    gradients  = CompiledFormulas(G, names.all);
    curvatures = CompiledFormulas(curvature_formulas, names.all);
  }



  void
  LagrangianJoints::check_start(const Vector &q, const Vector &v) const
  {
    const std::vector<double>        g = residuals(q);
    const dealii::FullMatrix<double> G = dense_jacobian(q);
    for (unsigned int i = 0; i < size(); ++i)
      {
        double rate = 0, scale_q = 0, scale_v = 0;
        for (unsigned int j = 0; j < n_coordinates; ++j)
          {
            rate += G(i, j) * v.local_element(j);
            scale_q += std::abs(G(i, j) * q.local_element(j));
            scale_v += std::abs(G(i, j) * v.local_element(j));
          }
        const auto refuse = [&](const std::string &entry, const double value) {
          std::ostringstream text;
          text << "violates the joint '" << joint_names[i] << "' by " << value
               << ".";
          FormulaEntry("initial " + entry, "").refuse(text.str());
        };
        if (!(std::abs(g[i]) <= 1e-9 * scale_q))
          refuse("position", g[i]);
        if (!(std::abs(rate) <= 1e-9 * scale_v))
          refuse("velocity", rate);
      }
  }



  std::vector<double>
  LagrangianJoints::evaluate(const CompiledFormulas &formulas,
                             const Vector           &q,
                             const Vector           &v) const
  {
    std::vector<double> result;
    if (!is_owner)
      return result;
    std::vector<double> variables(2 * n_coordinates + 1);
    std::copy(q.begin(), q.end(), variables.begin());
    std::copy(v.begin(), v.end(), variables.begin() + n_coordinates);
    result.resize(formulas.size());
    formulas.evaluate(variables.data(), result.data());
    return result;
  }



  std::vector<double>
  LagrangianJoints::residuals(const Vector &q) const
  {
    return evaluate(values, q, q);
  }



  void
  LagrangianJoints::jacobian(const Vector &q, SparseMatrix::Rows &G) const
  {
    G        = {};
    G.values = evaluate(gradients, q, q);
    for (unsigned int i = 0; i < size(); ++i)
      {
        for (unsigned int j = 0; j < n_coordinates; ++j)
          G.columns.push_back(static_cast<PetscInt>(j));
        G.start.push_back(static_cast<PetscInt>(G.columns.size()));
      }
  }



  std::vector<double>
  LagrangianJoints::curvature(const Vector &q, const Vector &v) const
  {
    return evaluate(curvatures, q, v);
  }
} // namespace Percuss
