// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#pragma once

#include <percuss/base/formula.h>
#include <percuss/linear_algebra/symmetric_blocks.h>
#include <percuss/mechanics/mechanical_model.h>
#include <percuss/mechanics/partial_rows.h>
#include <percuss/mechanics/vtu_mesh.h>

#include <deal.II/base/types.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_q.h>
#include <deal.II/lac/affine_constraints.h>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solid_cell_fields.h"
#include "solid_contact_node.h"
#include "solid_contact_tree.h"
#include "solid_free_nodes.h"
#include "solid_large_strains.h"
#include "solid_material.h"
#include "solid_mesh.h"
#include "solid_mortar.h"
#include "solid_motions.h"
#include "solid_obstacles.h"
#include "solid_operator.h"
#include "solid_rows.h"
#include "solid_sides.h"
#include "solid_supports.h"
#include "solid_traction.h"
#include "solid_transfer.h"
#include "solid_weighted.h"

namespace Percuss
{
  template <int dim>
  class SolidProbes;
  template <int dim>
  class SolidSurfaces;

  /// Elastic bodies, of materials for small strains,
  /// @f[ \rho\,\ddot u + \text{damping} = \operatorname{div}\sigma + \rho g,
  ///     \qquad \sigma = \lambda\,\operatorname{tr}\varepsilon\,I
  ///     + 2\mu\,\varepsilon, \qquad
  ///     \varepsilon = \tfrac12(\nabla u + \nabla u^T), @f]
  /// by finite elements of degree p on a distributed mesh, with nodes of some
  /// sides in front of rigid obstacles or other bodies; or of materials for
  /// large strains, see LargeStrains. Degrees of freedom are numbered node by
  /// node: component c of node i is dim i + c.
  template <int dim>
  class Solid : public MechanicalModel, public PartialRows
  {
  public:
    struct Parameters : public SolidParameters
    {
      Parameters()
        : SolidParameters(dim)
      {}
    };

    Solid(const Parameters &parameters, const Context &context);

    std::unique_ptr<MechanicalModel>
    adapt(State                              &state,
          const std::function<void(State &)> &leave) const override;

    std::string
    describe_mesh() const override;

    std::unique_ptr<MechanicalModel>
    with_mesh(const std::string &description) const override;

    const Partition &
    partition() const override
    {
      return owned;
    }

    State
    initial_state() const override;

    /// Not where a material is for large strains.
    bool
    is_linear() const override
    {
      return large_strains == nullptr;
    }

    bool
    has_constant_mass() const override
    {
      return true;
    }

    /// Not where supports move bodies with large strains.
    bool
    has_conserving_force() const override
    {
      return is_linear() || !moving_supports;
    }

    void
    add_conserving_force(const Vector &q_begin,
                         const Vector &q_end,
                         double        factor,
                         Vector       &f) const override;

    void
    add_conserving_derivative(const Vector &q_begin,
                              const Vector &q_end,
                              double        factor,
                              SparseMatrix &matrix) const override;

    void
    evaluate(Term term, const Configuration &at, Vector &result) const override;

    void
    add_derivative(Term                 term,
                   Argument             argument,
                   const Configuration &at,
                   double               factor,
                   SparseMatrix        &matrix) const override;

    std::unique_ptr<SparseMatrix>
    assemble(double m, double c, double k) const override;

    SparseMatrix::Rows
    rows_of(const std::vector<unsigned int> &own,
            double                           m,
            double                           k) const override;

    std::vector<double>
    masses() const override;

    void
    internal_forces(const Vector &q, const Vector &v, Vector &f) const override;

    void
    damping_forces(const Vector &v, Vector &f) const override;

    void
    multiply_by_mass(const Vector &x, Vector &y) const override;

    double
    mass_norm(const Vector &x) const override;

    double
    stiffness_norm(const Vector &x) const override;

    Energy
    energy(const State &state) const override;

    const Vector &
    dead_load() const override
    {
      return gravity_load;
    }

    void
    add_driving_load(double time, double factor, Vector &f) const override;

    bool
    has_driving_load() const override
    {
      return tractions.size() > 0 || moving_supports;
    }

    const MovingSupports *
    supports() const override
    {
      return moving_supports.get();
    }

    bool
    has_damping() const override;

    std::optional<ProportionalDamping>
    proportional_damping() const override;

    const ContactSet &
    contacts() const override
    {
      return contact_set;
    }

    /// Along the last direction.
    double
    mean_velocity(const State &state) const override;

    Probe
    make_probe(const std::string &name, const std::string &what) const override;

    std::vector<ExactValue>
    exact_values(double) const override
    {
      return {};
    }

    std::vector<std::pair<std::string, std::string>>
    facts() const override;
    std::string
    operator_description() const override;
    std::vector<std::string>
    warnings() const override;
    std::string
    missed_contacts(const State &begin, const State &end) const override;

    std::string
    write_fields(const State       &state,
                 const Vector      &contact_forces,
                 const FieldFolder &folder,
                 const std::string &name) const override;

    std::vector<std::pair<double, double>>
    profile(const State &, unsigned int) const override
    {
      return {};
    }

  private:
    friend class SolidProbes<dim>;
    friend class SolidSurfaces<dim>;

    using Position = dealii::Point<dim>;
    using Node     = dealii::types::global_dof_index;
    using Mesh     = std::shared_ptr<const SolidMesh<dim>>;

    /// With a mesh that is there, or null; mesh files were read.
    Solid(const Parameters &parameters, MPI_Comm communicator, Mesh mesh);

    using LoadPoint   = SolidLoadPoint<dim>;
    using ContactNode = SolidContactNode<dim>;
    using Traction    = ContactTraction<dim>;

    /// Says which cells, in the order of SolidMesh::own_cells(), should be
    /// smaller or may be larger; returns whether any on all ranks.
    bool
    make_wishes(const State &state, std::vector<CellMotion> &motions) const;
    /// By how much displacement gradients jump at faces, for each cell that
    /// this rank knows.
    std::vector<double>
    strain_jumps(const Vector &q) const;
    /// Those with large jumps or close to an obstacle, and layers around them.
    std::vector<bool>
    small_cells(const State &state, const std::vector<double> &jumps) const;
    /// Own ones with a smaller neighbour. They are not joined, even where that
    /// one is: whether it is, its rank alone knows.
    std::vector<bool>
    cells_beside_smaller_ones() const;
    /// Where meshes cannot change.
    void
    check_adaptation() const;
    /// The model with cells as these wish, and @p state moved to it; null where
    /// it would be the same.
    std::unique_ptr<Solid>
    on_other_mesh(std::vector<CellMotion>             cells_in_motion,
                  const std::function<void(State &)> &leave,
                  State                              &state) const;
    /// Positions, velocities and memories as fields that can move.
    MovingFields
    fields_of(const State &state) const;
    /// Moves them into @p state, whose memories have those names and kinds.
    void
    set_fields(MovingFields &fields, State &state) const;
    /// From a number for each direction of contacts to vectors, over the area,
    /// for each contact of the file; and back.
    std::vector<Vector>
    tractions_of(const State &state, const Vector &of_contacts) const;
    void
    set_contacts(const State  &state,
                 const Vector *tractions_of_contacts,
                 Vector       &of_contacts) const;
    /// Between vectors and cells.
    CellFields<dim>
    cell_fields() const;
    /// Puts the motion of cells into @p state, which is that of another mesh
    /// still and had as many fields there.
    void
    take_motion(const std::vector<CellMotion> &motions,
                const MovingFields            &before,
                State                         &state) const;
    /// The nodes of a cell of the mesh.
    void
    nodes_of(
      const typename SolidMesh<dim>::Triangulation::active_cell_iterator &cell,
      std::vector<Node> &nodes) const;

    /// Numbers the nodes, and finds which ones feel each other.
    void
    make_nodes();
    /// Numbers them in a way that does not depend on the number of ranks.
    void
    order_nodes();
    /// Whether products are computed from cell to cell.
    bool
    choose_matrix_free() const;
    void
    find_hanging_nodes();
    /// On any rank. Collective.
    bool
    has_any_hanging_nodes() const;
    void
    make_pattern();
    /// Adds the pairs of a cell's nodes with those of other ranks.
    void
    add_others(const std::vector<Node> &nodes);
    void
    make_matrices();
    /// Integrates own cells whose nodes are @p wanted, and passes on nodes,
    /// mass and stiffness, in the order of the nodes: a number and a block,
    /// column by column, for each pair.
    using CellAction = std::function<void(const std::vector<Node> &,
                                          const std::vector<double> &,
                                          const std::vector<double> &)>;
    void
    integrate_cells(
      const std::function<bool(const std::vector<Node> &)> &wanted,
      const CellAction                                     &action) const;
    /// Adds them.
    void
    add_cell(const std::vector<Node>   &nodes,
             const std::vector<double> &mass_of_cell,
             const std::vector<double> &stiffness_of_cell);
    /// The same for a cell with hanging nodes.
    void
    add_condensed(const std::vector<Node>   &nodes,
                  const std::vector<double> &mass_of_cell,
                  const std::vector<double> &stiffness_of_cell);
    /// For materials that need it.
    void
    make_large_strains();
    /// Adds @p of_mass times the mass and @p of_stiffness times the stiffness
    /// of small strains.
    void
    add_matrices(double of_mass, double of_stiffness, double *blocks) const;
    /// What LargeStrains leaves out: the diagonal of fixed degrees of freedom,
    /// that of small strains.
    void
    add_fixed_diagonal(double factor, double *blocks) const;
    void
    find_places();
    void
    fix_supports();
    void
    fix_hanging_nodes();
    void
    make_moving_supports();
    /// For degrees of freedom of `relevant`: zero where none of @p motions
    /// holds them, else one more than its number. Collective.
    Vector
    find_motions(const SolidMotions<dim> &motions) const;
    /// From cells at the supports, with what find_motions() has found.
    void
    add_moving_columns(const Vector &numbers);
    /// Of the whole body, with what supports move.
    const Vector &
    displacement(double time, const Vector &q) const;
    const Vector &
    velocity(const State &state) const;
    void
    make_masses_and_weight();
    /// That does not change, in the order of `relevant`. Collective.
    Vector
    gravity_at_nodes() const;
    void
    make_loads();
    /// The points of a cell or face, whose formulas begin with @p formula.
    void
    add_load_points(const dealii::FEValuesBase<dim> &values,
                    const std::vector<Node>         &nodes,
                    unsigned int                     formula,
                    bool                             is_pressure);
    /// In Pa or N/m^3.
    dealii::Tensor<1, dim>
    load_at(const LoadPoint &point, double time) const;
    void
    make_contacts(const Vector &first_q);
    /// The bodies that feel each other through contacts, each with the number
    /// of the first of them.
    std::vector<unsigned int>
    contact_groups() const;
    /// The sides of contacts of two bodies, undeformed.
    void
    make_sides();
    /// Own nodes of a side of a contact of the file in front of another side,
    /// with their local numbers; all where pairs follow the motion.
    std::vector<std::pair<unsigned int, MortarNode<dim>>>
    couple_bodies(unsigned int contact) const;

    /// The faces of a side on own cells.
    std::vector<MortarFace<dim>>
    mortar_faces(unsigned int body, const std::string &side) const;

    /// For ContactSet, where any contact changes.
    void
    find_rows(double time, const Vector &q, ContactSet::FoundRows &rows) const;
    void
    add_rows(const MortarNode<dim> &pair,
             ContactNode           &node,
             ContactSet::FoundRows &rows) const;

    /// Adds an own node in front of another side to a contact of the file.
    void
    add_pair(ContactPoint           point,
             unsigned int           contact,
             unsigned int           node,
             const MortarNode<dim> &pair);

    /// What all points of a contact of the file have in common.
    ContactPoint
    contact_point(unsigned int contact, unsigned int body) const;

    void
    make_obstacles();
    /// Own nodes of a side that are near enough to the obstacle of a contact of
    /// the file.
    std::vector<unsigned int>
    nodes_in_front(unsigned int       contact,
                   unsigned int       body,
                   const std::string &side) const;
    /// By a support, in the direction @p d.
    bool
    is_moved(unsigned int node, unsigned int d) const;
    void
    leave_out_held_tangents(ContactNode &node, ContactPoint &point) const;
    /// Adds an own node to a contact of the file.
    void
    add_contact(ContactPoint  point,
                unsigned int  contact,
                unsigned int  node,
                const Vector &q);

    /// The faces of a contact's side on own cells, with points of quadrature.
    std::vector<WeightedFace<dim>>
    weighted_faces(const SolidParameters::Contact &contact,
                   const std::string              &name) const;
    /// For a contact of the file with weighted constraints; collective.
    void
    make_weighted_side(unsigned int contact, const Vector &q);
    /// Adds the constraint @p number of an own node to a contact of the file.
    void
    add_weighted(const ContactPoint &point,
                 unsigned int        contact,
                 unsigned int        node,
                 unsigned int        number);

    unsigned int
    n_directions(const unsigned int contact) const
    {
      return parameters.contacts[contact].second.friction == 0 ? 1 : dim;
    }

    /// What acts on the contact @p i of this rank, from the forces of all.
    Traction
    traction(unsigned int i, const State &state, const double *forces) const;

    /// The directions of its forces: of its obstacle, in the mean where it is
    /// weighted, or of the side that it was in front of.
    std::array<dealii::Tensor<1, dim>, dim>
    frame_of(const ContactNode &node, const Vector &q) const;
    /// Obstacles and weighted sides at a state, before frame_of(); collective.
    void
    set_obstacles(unsigned int contact, double time, const Vector &q) const;
    /// What a node sees of its obstacle.
    typename SolidObstacle<dim>::View
    view_of(const ContactNode &node, const Vector &q) const;

    /// Trees of contacts in front of obstacles that are curved or move.
    void
    make_trees();
    /// Fills far_gaps.
    void
    find_near(const Vector &q) const;
    /// How many coefficients a contact has for each direction.
    std::size_t
    row_length(const ContactNode &node) const;

    /// The next entries, of a node with a weighted constraint.
    void
    place_weighted(const ContactNode &node,
                   double           *&gaps,
                   double           *&coefficients,
                   double           *&rates) const;

    /// For ContactSet, where obstacles are curved or move.
    void
    place_contacts(double        time,
                   const Vector &q,
                   double       *gaps,
                   double       *coefficients,
                   double       *rates) const;

    /// Calls @p action(node) for nodes on a side, own and others that this rank
    /// knows, as columns of the pattern; a node may come more than once.
    void
    for_nodes_on(unsigned int                             body,
                 const std::string                       &side,
                 const std::function<void(unsigned int)> &action) const;
    /// The local numbers of own nodes on a side, ascending; not of those that
    /// hang.
    std::vector<unsigned int>
    own_nodes_on(unsigned int body, const std::string &side) const;

    /// The column of a node in the pattern, or the largest number where this
    /// rank does not know it.
    unsigned int
    column(Node node) const;

    bool
    hangs(unsigned int own_node) const;

    void
    zero_fixed(Vector &x) const;

    /// @p y = M x and K x. Rows and columns of K that belong to fixed degrees
    /// of freedom have entries on the diagonal only.
    void
    apply_mass(const Vector &x, Vector &y) const;
    void
    apply_stiffness(const Vector &x, Vector &y) const;

    /// The entries of m M + c C + k K, where there are none.
    std::unique_ptr<SparseMatrix>
    assemble_entries(double m, double c, double k) const;

    /// Cauchy's stress; in the plane with that normal to it.
    dealii::Tensor<2, 3>
    stress(unsigned int material, const dealii::Tensor<2, dim> &gradient) const;

    /// All fields at a point of a patch, from displacements, velocities and
    /// contact forces of nodes.
    std::vector<double>
    fields_at(const dealii::FEValues<dim>            &shapes,
              unsigned int                            point,
              const std::vector<Node>                &nodes,
              const std::vector<std::vector<double>> &values) const;

    /// The values of all nodes of this rank's cells, also of hanging ones, in
    /// the order of `relevant`.
    const double *
    ghosted(const Vector &x, Vector &storage) const;

    const Parameters                  parameters;
    const std::vector<SolidMaterial>  materials;
    const Mesh                        shared_mesh;
    const SolidMesh<dim>             &mesh;
    const dealii::FE_Q<dim>           element;
    const dealii::MappingQ<dim>       mapping;
    dealii::DoFHandler<dim>           numbering;
    dealii::AffineConstraints<double> hanging; ///< nodes
    Partition                         owned;
    Partition                         relevant; ///< with all nodes of own cells
    std::vector<HangingNode>          hanging_nodes; ///< of own cells
    std::unique_ptr<SharedRows>       rows; ///< while matrices are made
    std::shared_ptr<const BlockPattern> pattern;
    bool is_matrix_free = false; ///< then `cells`, else mass and stiffness
    std::unique_ptr<SymmetricScalars>   mass;
    std::unique_ptr<SymmetricBlocks>    stiffness;
    std::shared_ptr<SolidOperator<dim>> cells;
    std::vector<Position>               places; ///< of own nodes and others
    std::vector<unsigned int>           body_of_node; ///< the same
    std::vector<bool>   is_fixed; ///< of degrees of freedom, the same
    Vector              gravity_load;
    std::vector<double> masses_of_nodes; ///< sums of rows, of own nodes, in kg
    double              total_mass = 0;
    std::unique_ptr<LargeStrains<dim>>  large_strains;   ///< or none
    std::unique_ptr<SolidSupports<dim>> moving_supports; ///< or none
    ContactSet                          contact_set;
    /// One for each contact of the file, and its nodes, in the order of
    /// contact_set.
    std::vector<std::unique_ptr<SolidObstacle<dim>>> obstacles;
    std::vector<std::unique_ptr<WeightedSide<dim>>> weighted_sides; ///< or null
    mutable std::vector<ContactNode>                contact_nodes;
    std::vector<ContactTree<dim>>                   trees;
    std::unique_ptr<MortarSides<dim>>               sides; ///< or none
    std::vector<unsigned int> numbers_of_sides; ///< in it, of contacts
    std::shared_ptr<const SolidSurfaces<dim>> surfaces;
    std::vector<LoadPoint>                    load_points;
    CompiledFormulas                          tractions;
    mutable Vector work, ghosts, driving_load, more_ghosts, internal;
    mutable Vector whole_q, whole_v; ///< where supports move
    mutable std::vector<double> traction_values;
    /// Of contacts: 0 for those that may be near their obstacle, else a lower
    /// bound of the gap.
    mutable std::vector<double> far_gaps;
  };
} // namespace Percuss
