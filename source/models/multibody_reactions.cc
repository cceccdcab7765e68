// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "multibody_reactions.h"

#include <percuss/linear_algebra/lu_factorization.h>

#include <algorithm>
#include <set>
#include <utility>

namespace Percuss
{
  namespace
  {
    unsigned int
    number_of(const std::string &name, const MultibodyParameters &parameters)
    {
      unsigned int number = 0;
      while (parameters.joints[number].first != name)
        ++number;
      return number;
    }

    /// The rows of G G^T, with a little more on the diagonal, so that redundant
    /// rows do no harm.
    void
    regularize(SparseMatrix::Rows &rows)
    {
      constexpr double share   = 1e-11;
      double           largest = 0;
      for (const double value : rows.values)
        largest = std::max(largest, value);
      for (std::size_t i = 0; i + 1 < rows.start.size(); ++i)
        for (PetscInt e = rows.start[i]; e < rows.start[i + 1]; ++e)
          if (rows.columns[e] == static_cast<PetscInt>(i))
            rows.values[e] += share * largest;
    }
  } // namespace



  JointReactions::JointReactions(const MultibodyParameters &parameters,
                                 const MultibodyLayout     &layout)
  {
    std::vector<QuadraticConstraint> all;
    std::vector<JointOfFrames>       joints = layout.joints();
    joints.insert(joints.end(),
                  layout.closing_joints().begin(),
                  layout.closing_joints().end());
    std::set<unsigned int> frames;
    for (const JointOfFrames &joint : joints)
      {
        if (joint.type == JointOfFrames::Type::free)
          continue;
        frames.insert(joint.child);
        if (joint.parent != JointOfFrames::ground)
          frames.insert(joint.parent);
        const auto rows = joint.constraints();
        const auto n    = static_cast<unsigned int>(all.size());
        all.insert(all.end(), rows.begin(), rows.end());
        numbers.push_back(number_of(joint.name, parameters));
        const MultibodyPlace second =
          MultibodyPlace::read(parameters.joints[numbers.back()].second.second,
                               parameters,
                               "joints/" + joint.name + "/second");
        const bool is_child =
          !second.is_ground && layout.number(layout.frame_of(second)) ==
                                 layout.owned().first + joint.child;
        items.push_back({joint,
                         n,
                         static_cast<unsigned int>(all.size()),
                         is_child ? 1. : -1.});
      }
    for (const unsigned int frame : frames)
      {
        const auto rows = director_constraints(frame);
        all.insert(all.end(), rows.begin(), rows.end());
        n_coordinates = Frame::n_coordinates * (frame + 1);
      }
    constraints = std::make_unique<FrameConstraints>(std::move(all), nullptr);
    reactions.resize(items.size());
  }



  void
  JointReactions::add(const Vector &q,
                      const Vector &j,
                      const double  factor) const
  {
    constraints->jacobian(q, G);
    const std::size_t n = constraints->size();
    transpose(G, n_coordinates, transposed);
    SparseMatrix::Rows A = product.compute(G, transposed, n);
    regularize(A);
    std::vector<double> mu(n);
    for (std::size_t i = 0; i < n; ++i)
      for (PetscInt e = G.start[i]; e < G.start[i + 1]; ++e)
        mu[i] += G.values[e] * j.local_element(G.columns[e]);
    LuFactorization factorization;
    if (!factorization.factorize(A))
      return;
    factorization.solve(mu);
    for (std::size_t k = 0; k < items.size(); ++k)
      {
        const Item        &item  = items[k];
        const unsigned int first = Frame::n_coordinates * item.joint.child;
        std::array<double, Frame::n_coordinates> f = {};
        for (unsigned int i = item.first_row; i < item.end_row; ++i)
          for (PetscInt e = G.start[i]; e < G.start[i + 1]; ++e)
            {
              const auto c = static_cast<unsigned int>(G.columns[e]) - first;
              if (c < Frame::n_coordinates) // unsigned: wraps below it
                f[c] += mu[i] * G.values[e];
            }
        const Frame child = Frame::read(q.begin() + first);
        const Frame force = Frame::read(f.data());
        Vector3     moment =
          cross(child.origin - child.point(item.joint.Y), force.origin);
        for (unsigned int i = 0; i < 3; ++i)
          moment += cross(child.d[i], force.d[i]);
        reactions[k].force += item.sign * factor * force.origin;
        reactions[k].moment += item.sign * factor * moment;
      }
  }



  void
  JointReactions::add_parts(const State &state) const
  {
    if (const Vector *const force = state.find("joint force"))
      add(state.q, *force, 1);
    const Vector *const impulse = state.find("joint impulse");
    if (impulse == nullptr || state.step == 0)
      return;
    const double h     = state.time / state.step;
    Vector       place = state.q;
    if (state.find("joint impulse at middle") != nullptr)
      {
        place.add(-h / 2, state.v);
        add(place, *impulse, 1 / h);
        return;
      }
    Vector rest = *impulse;
    if (const Vector *const at_start = state.find("joint impulse at start"))
      {
        rest -= *at_start;
        place.add(-h, state.v);
        add(place, *at_start, 1 / h);
      }
    add(state.q, rest, 1 / h);
  }



  bool
  JointReactions::is_computed(const State &state) const
  {
    std::vector<double> now(state.q.begin(), state.q.begin() + n_coordinates);
    for (const char *const name : {"joint force", "joint impulse"})
      if (const Vector *const x = state.find(name))
        now.insert(now.end(), x->begin(), x->begin() + n_coordinates);
    const bool result = now == key;
    key.swap(now);
    return result;
  }



  const std::vector<JointReaction> &
  JointReactions::compute(const State &state) const
  {
    if (items.empty() || is_computed(state))
      return reactions;
    for (std::size_t k = 0; k < items.size(); ++k)
      {
        const Frame child = Frame::read(
          state.q.begin() + Frame::n_coordinates * items[k].joint.child);
        reactions[k] = {child.point(items[k].joint.Y), Vector3(), Vector3()};
      }
    add_parts(state);
    return reactions;
  }
} // namespace Percuss
