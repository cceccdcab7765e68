// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/linear_algebra/vector.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>
#include <deal.II/base/types.h>

#include <boost/serialization/vector.hpp>

#include <mpi.h>

#include <array>
#include <functional>
#include <vector>

#include "solid_contact_tree.h"
#include "solid_obstacles.h"

namespace Percuss
{
  /// A face of a side with its points of quadrature, in the undeformed body.
  template <int dim>
  struct WeightedFace
  {
    std::vector<dealii::types::global_dof_index> nodes; ///< that do not hang
    std::vector<char>               is_fixed;           ///< dim for each node
    std::vector<dealii::Point<dim>> places;             ///< of points
    std::vector<double>             areas;  ///< of points, in m or m^2
    std::vector<double>             shapes; ///< N_k, point after point
    /// psi_k: not negative, and they add up to 1.
    std::vector<double> weights;

    template <typename Archive>
    void
    serialize(Archive &archive, const unsigned int /*version*/)
    {
      archive &nodes &is_fixed &places &areas &shapes &weights;
    }
  };



  /// Constraints of a side in front of an obstacle with the gap g(x), one for
  /// each of its nodes, of all points where its function psi_j is positive. In
  /// front of planes they are averages,
  /// @f[ g_j = \frac1{w_j}\int\psi_j\,g(x), \qquad w_j = \int\psi_j, @f]
  /// which are linear in the displacements. An average over a face does not
  /// feel an obstacle that is smaller than the face; in front of others they
  /// are smooth minima, of the length delta,
  /// @f[ g_j = -\delta\,\ln\Bigl(\frac1{w_j}\int\psi_j e^{-g(x)/\delta}\Bigr),
  /// @f]
  /// between the least gap and the average. The derivatives of both are those
  /// of the points, with weights that are not negative and add up to 1.
  template <int dim>
  class WeightedSide
  {
  public:
    using Node      = dealii::types::global_dof_index;
    using Direction = dealii::Tensor<1, dim>;
    using Frame     = std::array<Direction, dim>;

    /// The constraint of an own node.
    struct Constraint
    {
      Node              node;
      double            weight = 0; ///< w_j, in m or m^2
      std::vector<Node> nodes;      ///< of its rows, ascending
      std::vector<char> is_fixed;   ///< dim for each of them

      /// On a face: the number of psi_j, and the places of the face's nodes in
      /// `nodes`.
      struct Part
      {
        unsigned int              face, function;
        std::vector<unsigned int> columns;
      };
      std::vector<Part> parts;
      ContactBox<dim>   box; ///< around its points in the undeformed body
    };

    /// What a constraint is at present: its gap, weighted frames (the force of
    /// a direction), and for each direction the obstacle's part of the
    /// velocity.
    struct Value
    {
      double                  gap;
      Frame                   frame;
      std::array<double, dim> rates{};
    };

    /// Of all faces with own nodes. @p smoothing is delta in m; 0 for a
    /// hundredth of the width of each node.
    WeightedSide(const SolidObstacle<dim>             &obstacle,
                 const std::vector<WeightedFace<dim>> &faces,
                 const Partition                      &owned,
                 double                                smoothing);

    /// Leaves out constraints all of whose points in the undeformed body are
    /// further away than @p distance.
    void
    keep_near(double distance);

    /// After that; collective.
    void
    complete(const Partition &owned);

    const std::vector<Constraint> &
    constraints() const
    {
      return all;
    }

    /// A box around all points of a constraint, at the displacements that were
    /// taken.
    ContactBox<dim>
    box(unsigned int i) const;

    /// The most that the displacements of nodes are exceeded between them.
    double
    largest_sum() const
    {
      return sum_of_shapes;
    }

    /// Takes the displacements of all nodes of faces, after the obstacle's
    /// time was set. Collective.
    void
    import(const Vector &q) const;

    /// Of constraint @p i, at the displacements and the obstacle's time;
    /// @p frame_of gives the normal and tangents of a point from its normal.
    /// Fills the rows of directions, dim numbers for each of the constraint's
    /// nodes, where @p coefficients is not null.
    Value
    place(unsigned int                                   i,
          unsigned int                                   n_directions,
          const std::function<Frame(const Direction &)> &frame_of,
          double *coefficients = nullptr) const;

    /// The displacements that were taken, times a row of constraint @p i.
    double
    product(unsigned int i, const double *row) const;

  private:
    using View = typename SolidObstacle<dim>::View;

    /// Adds a function of a face to the constraint of its node.
    void
    add_part(Constraint &constraint, unsigned int face, unsigned int function);

    bool
    can_move(const Constraint &constraint) const;

    /// Boxes and shape functions.
    void
    measure();

    /// What the points of a face see, once for all of its constraints.
    const View *
    look(unsigned int face) const;

    /// Fills the portions of a constraint's points, and returns the gap.
    double
    weigh(const Constraint &constraint) const;

    const SolidObstacle<dim>      &obstacle;
    const double                   smoothing;
    double                         sum_of_shapes = 1; ///< absolute values
    std::vector<WeightedFace<dim>> faces;
    /// Of the nodes of faces in `near`, their first degrees of freedom.
    std::vector<std::vector<unsigned int>> columns;
    std::vector<Constraint>                all;
    mutable Vector                         near; ///< displacements
    /// Of faces, those that are known at present.
    mutable std::vector<std::vector<View>> views;
    mutable std::vector<char>              is_known;
    mutable std::vector<double>            portions; ///< work space
  };

  /// The faces of all ranks with a function of a node that this rank owns.
  /// Collective.
  template <int dim>
  std::vector<WeightedFace<dim>>
  fetch_own(const std::vector<WeightedFace<dim>> &faces,
            const Partition                      &owned,
            MPI_Comm                              communicator);
} // namespace Percuss
