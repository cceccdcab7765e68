// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "multibody_joints.h"

#include <deal.II/base/exceptions.h>

#include <algorithm>
#include <utility>

namespace Percuss
{
  namespace
  {
    Vector3
    vector_at(const double *q, const unsigned int number)
    {
      return Vector3({q[3 * number], q[3 * number + 1], q[3 * number + 2]});
    }

    /// A vector that is a sum of coefficients times vectors of frames, and a
    /// constant: a point of a body, or a direction that is fixed in it.
    struct VectorSum
    {
      Vector3                                      constant = Vector3();
      std::vector<std::pair<unsigned int, double>> terms    = {};

      static VectorSum
      direction(const unsigned int frame, const Vector3 &x)
      {
        VectorSum sum;
        if (frame == JointOfFrames::ground)
          sum.constant = x;
        else
          for (unsigned int i = 0; i < 3; ++i)
            if (x[i] != 0)
              sum.terms.emplace_back(Frame::n_vectors * frame + 1 + i, x[i]);
        return sum;
      }

      static VectorSum
      point(const unsigned int frame, const Vector3 &x)
      {
        VectorSum sum = direction(frame, x);
        if (frame != JointOfFrames::ground)
          sum.terms.emplace_back(Frame::n_vectors * frame, 1.);
        return sum;
      }

      VectorSum
      operator-(const VectorSum &other) const
      {
        VectorSum sum = *this;
        sum.constant -= other.constant;
        for (const auto &[vector, factor] : other.terms)
          sum.terms.emplace_back(vector, -factor);
        return sum;
      }
    };

    /// a . b = 0.
    QuadraticConstraint
    product(const VectorSum &a, const VectorSum &b)
    {
      QuadraticConstraint result;
      result.constant = a.constant * b.constant;
      for (const auto &[vector, factor] : a.terms)
        if (b.constant != Vector3())
          result.linear.push_back({vector, factor * b.constant});
      for (const auto &[vector, factor] : b.terms)
        if (a.constant != Vector3())
          result.linear.push_back({vector, factor * a.constant});
      for (const auto &[first, x] : a.terms)
        for (const auto &[second, y] : b.terms)
          result.products.push_back({first, second, x * y});
      return result;
    }

    Vector3
    unit(const unsigned int component)
    {
      Vector3 e;
      e[component] = 1;
      return e;
    }
  } // namespace



  double
  QuadraticConstraint::value(const double *q) const
  {
    double g = constant;
    for (const LinearTerm &term : linear)
      g += term.a * vector_at(q, term.vector);
    for (const ProductTerm &term : products)
      g += term.w * (vector_at(q, term.first) * vector_at(q, term.second));
    return g;
  }



  double
  QuadraticConstraint::curvature(const double *v) const
  {
    double sum = 0;
    for (const ProductTerm &term : products)
      sum +=
        2 * term.w * (vector_at(v, term.first) * vector_at(v, term.second));
    return sum;
  }



  JointOfFrames::Type
  JointOfFrames::type_of(const std::string &word)
  {
    return word == "spherical"   ? Type::spherical :
           word == "revolute"    ? Type::revolute :
           word == "prismatic"   ? Type::prismatic :
           word == "cylindrical" ? Type::cylindrical :
           word == "universal"   ? Type::universal :
                                   Type::rigid;
  }



  unsigned int
  JointOfFrames::n_velocities() const
  {
    switch (type)
      {
        case Type::free:
          return 6;
        case Type::spherical:
          return 3;
        case Type::revolute:
        case Type::prismatic:
          return 1;
        case Type::cylindrical:
        case Type::universal:
          return 2;
        case Type::rigid:
          return 0;
      }
    return 0;
  }



  JointOfFrames
  JointOfFrames::make(const Type     type,
                      const Frame   &parent,
                      const Frame   &child,
                      const Vector3 &x,
                      const Vector3 &axis,
                      const Vector3 &second_axis)
  {
    JointOfFrames joint;
    joint.type       = type;
    joint.X          = parent.components(x - parent.origin);
    joint.Y          = child.components(x - child.origin);
    const Vector3 n  = axis / axis.norm();
    const Vector3 m1 = normal_to(n), m2 = cross(n, m1);
    joint.n         = parent.components(n);
    joint.m1        = parent.components(m1);
    joint.m2        = parent.components(m2);
    const Vector3 s = second_axis / second_axis.norm();
    joint.t1        = child.components(type == Type::universal ? s : m1);
    joint.cosine    = n * s;
    joint.t2        = child.components(m2);
    for (unsigned int i = 0; i < 3; ++i)
      joint.directors[i] = parent.components(child.d[i]);
    return joint;
  }



  std::vector<QuadraticConstraint>
  JointOfFrames::constraints() const
  {
    std::vector<QuadraticConstraint> result;
    if (type == Type::free)
      return result;
    const auto in_parent = [this](const Vector3 &x) {
      return VectorSum::direction(parent, x);
    };
    const auto in_child = [this](const Vector3 &x) {
      return VectorSum::direction(child, x);
    };
    const VectorSum way =
      VectorSum::point(child, Y) - VectorSum::point(parent, X);
    const bool slides = type == Type::prismatic || type == Type::cylindrical;
    if (slides)
      for (const Vector3 &m : {m1, m2})
        result.push_back(product(in_parent(m), way));
    else
      for (unsigned int c = 0; c < 3; ++c)
        {
          VectorSum e;
          e.constant = unit(c);
          result.push_back(product(e, way));
        }
    if (type == Type::revolute || type == Type::cylindrical)
      for (const Vector3 &t : {t1, t2})
        result.push_back(product(in_parent(n), in_child(t)));
    if (type == Type::universal)
      {
        result.push_back(product(in_parent(n), in_child(t1)));
        result.back().constant -= cosine;
      }
    if (type == Type::prismatic || type == Type::rigid)
      for (unsigned int i = 0; i < 3; ++i)
        result.push_back(
          product(in_parent(directors[i]), in_child(unit((i + 1) % 3))));
    return result;
  }



  std::vector<QuadraticConstraint>
  director_constraints(const unsigned int frame)
  {
    std::vector<QuadraticConstraint> result;
    const unsigned int               d = Frame::n_vectors * frame + 1;
    for (unsigned int i = 0; i < 3; ++i)
      result.push_back({-0.5, {}, {{d + i, d + i, 0.5}}});
    for (unsigned int i = 0; i < 3; ++i)
      result.push_back({0, {}, {{d + i, d + (i + 1) % 3, 1.}}});
    return result;
  }



  FrameConstraints::FrameConstraints(
    std::vector<QuadraticConstraint> constraints,
    const NullSpace                 *tree)
    : all(std::move(constraints))
    , tree(tree)
  {
    for (const QuadraticConstraint &constraint : all)
      {
        std::vector<unsigned int> vectors;
        for (const auto &term : constraint.linear)
          vectors.push_back(term.vector);
        for (const auto &term : constraint.products)
          vectors.insert(vectors.end(), {term.first, term.second});
        std::sort(vectors.begin(), vectors.end());
        vectors.erase(std::unique(vectors.begin(), vectors.end()),
                      vectors.end());
        const PetscInt start = pattern.start.back();
        const auto     place = [&](const unsigned int vector) {
          return start +
                 3 *
                   static_cast<PetscInt>(
                     std::lower_bound(vectors.begin(), vectors.end(), vector) -
                     vectors.begin());
        };
        std::vector<PetscInt> of_terms;
        for (const auto &term : constraint.linear)
          of_terms.push_back(place(term.vector));
        for (const auto &term : constraint.products)
          of_terms.insert(of_terms.end(),
                          {place(term.first), place(term.second)});
        places.push_back(std::move(of_terms));
        for (const unsigned int vector : vectors)
          for (unsigned int c = 0; c < 3; ++c)
            pattern.columns.push_back(static_cast<PetscInt>(3 * vector + c));
        pattern.start.push_back(static_cast<PetscInt>(pattern.columns.size()));
      }
    pattern.values.resize(pattern.columns.size());
  }



  std::vector<double>
  FrameConstraints::residuals(const Vector &q) const
  {
    std::vector<double> g;
    g.reserve(all.size());
    for (const QuadraticConstraint &constraint : all)
      g.push_back(constraint.value(q.begin()));
    return g;
  }



  void
  FrameConstraints::jacobian(const Vector &q, SparseMatrix::Rows &G) const
  {
    if (G.columns.size() != pattern.columns.size())
      G = pattern;
    std::fill(G.values.begin(), G.values.end(), 0.);
    const double *const x   = q.begin();
    const auto          add = [&](const PetscInt      place,
                         const double        factor,
                         const double *const vector) {
      for (unsigned int c = 0; c < 3; ++c)
        G.values[place + c] += factor * vector[c];
    };
    for (std::size_t i = 0; i < all.size(); ++i)
      {
        auto place = places[i].begin();
        for (const auto &term : all[i].linear)
          add(*place++, 1, &term.a[0]);
        for (const auto &term : all[i].products)
          {
            add(*place++, term.w, x + 3 * term.second);
            add(*place++, term.w, x + 3 * term.first);
          }
      }
  }



  std::vector<double>
  FrameConstraints::curvature(const Vector &, const Vector &v) const
  {
    std::vector<double> result;
    for (const QuadraticConstraint &constraint : all)
      result.push_back(constraint.curvature(v.begin()));
    return result;
  }



  void
  FrameConstraints::add_hessian(const Vector &,
                                const std::vector<double> &mu,
                                const double               factor,
                                SparseMatrix              &matrix) const
  {
    const auto   &rows   = matrix.rows();
    const auto    first  = matrix.partition()->local_range().first;
    double *const values = matrix.values();
    const auto    add    = [&](const unsigned int row_vector,
                         const unsigned int column_vector,
                         const double       value) {
      const auto wanted = static_cast<PetscInt>(first + 3 * column_vector);
      for (unsigned int c = 0; c < 3; ++c)
        {
          const auto begin =
            rows.columns.begin() + rows.start[3 * row_vector + c];
          const auto end =
            rows.columns.begin() + rows.start[3 * row_vector + c + 1];
          const auto found =
            std::lower_bound(begin, end, wanted + static_cast<PetscInt>(c));
          Assert(found != end && *found == wanted + static_cast<PetscInt>(c),
                 dealii::ExcInternalError());
          values[found - rows.columns.begin()] += value;
        }
    };
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const auto &term : all[i].products)
        {
          add(term.first, term.second, factor * mu[i] * term.w);
          add(term.second, term.first, factor * mu[i] * term.w);
        }
  }
} // namespace Percuss
