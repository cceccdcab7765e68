// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/collective.h>
#include <percuss/base/error.h>
#include <percuss/base/files.h>
#include <percuss/base/suggestion.h>
#include <percuss/mechanics/vtu.h>
#include <percuss/output/output_writer.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/utilities.h>

#include <algorithm>
#include <chrono>
#include <sstream>

namespace Percuss
{
  namespace
  {
    const std::vector<CsvTable::Column> energy_columns = {
      {"time", "s"},
      {"kinetic", "J"},
      {"strain", "J"},
      {"potential", "J"},
      {"total", "J"},
      {"work_external", "J"},
      {"work_damping", "J"},
      {"work_contact", "J"},
      {"work_friction", "J"},
      {"algorithmic_dissipation", "J"},
      {"residual", "J"},
      {"algorithmic_energy", "J"},
      {"hypotheses_held", "1"},
      {"dissipative", "1"},
      {"smallest_total", "J"},
      {"largest_total", "J"},
      {"mesh_change", "J"}};

    const std::vector<CsvTable::Column> contact_columns = {
      {"time", "s"},
      {"n_active", "1"},
      {"total_impulse", "N s"},
      {"total_force", "N"},
      {"max_penetration", "m"},
      {"iterations", "1"},
      {"residual", "1"}};

    /// "name = what; name = what" as probes of the model.
    std::vector<Probe>
    parse_probes(const std::string &list, const MechanicalModel &model)
    {
      const auto refuse = [](const std::string &reason) {
        throw EntryError("output/probes", reason);
      };
      std::vector<Probe> probes;
      for (const std::string &item :
           dealii::Utilities::split_string_list(list, ';'))
        {
          const std::size_t equal_sign = item.find('=');
          if (equal_sign == std::string::npos)
            refuse("'" + item +
                   "' has no '='; write 'name = quantity at place'.");
          const std::string name =
            dealii::Utilities::trim(item.substr(0, equal_sign));
          for (const Probe &other : probes)
            if (other.name == name)
              refuse("the name '" + name + "' is used twice.");
          if (name.empty() || name == "time" ||
              name.find_first_of(",\"#") != std::string::npos)
            refuse("'" + name + "' is no name for a column.");
          try
            {
              probes.push_back(model.make_probe(
                name, dealii::Utilities::trim(item.substr(equal_sign + 1))));
            }
          catch (const Error &error)
            {
              refuse(error.what());
            }
        }
      return probes;
    }
  } // namespace



  void
  OutputWriter::Parameters::declare(ParameterSection section)
  {
    section.add("directory",
                directory,
                "Where the results go; empty for results/NAME-OF-FILE");
    section.add("table interval",
                table_interval,
                "Steps from one row of the tables to the next",
                1);
    section.add("energy limits",
                energy_limits,
                "Adds two columns to energy.csv: the energy before the jump, "
                "E(q_{k+1}, v_k), and at the midpoint of the step, E((q_k + "
                "q_{k+1})/2, (q_{k+1} - q_k)/h); 'total' is the energy after "
                "the jump");
    section.add("field interval",
                field_interval,
                "Steps from one VTU file to the next; 0 for none");
    section.add("field files",
                field_files,
                "Most files of a VTU picture, shared by ranks that follow each "
                "other; 0 for one of each rank");
    section.add("space-time points",
                space_time_points,
                "Points along the bar of space_time.vtu, which has a row for "
                "each VTU file; 0 for none");
    section.require("space-time points", [this]() {
      return space_time_points == 1 ? "one point is no line" : std::string();
    });
    section.add("probes",
                probes,
                "Columns of probes.csv, as 'name = what; name = what'; what "
                "is for example 'velocity at 0', or 'height of 0' for balls");
  }



  OutputWriter::OutputWriter(const Parameters            &parameters,
                             const MechanicalModel       &model,
                             const std::filesystem::path &folder)
    : parameters(parameters)
    , model(&model)
    , folder(folder)
    , is_first_rank(
        dealii::Utilities::MPI::this_mpi_process(model.communicator) == 0)
    , probes(parse_probes(parameters.probes, model))
  {}



  void
  OutputWriter::follow(const MechanicalModel &other)
  {
    model  = &other;
    probes = parse_probes(parameters.probes, other);
  }



  std::vector<CsvTable::Column>
  OutputWriter::probe_columns() const
  {
    std::vector<CsvTable::Column> columns = {{"time", "s"}};
    for (const Probe &probe : probes)
      columns.emplace_back(probe.name, probe.unit);
    return columns;
  }



  void
  OutputWriter::open(const State   &state,
                     Ledger        &ledger,
                     ContactRecord &contacts)
  {
    const auto profile = parameters.field_interval > 0 ?
                           model->profile(state, parameters.space_time_points) :
                           std::vector<std::pair<double, double>>();
    collectively(model->communicator, [&]() {
      if (!is_first_rank)
        return;
      std::filesystem::remove_all(folder / "solution");
      std::filesystem::remove(folder / "solution.pvd");
      std::filesystem::remove(folder / "contact.pvd");
      std::filesystem::remove(folder / "space_time.vtu");
      std::filesystem::remove(folder / "space_time.csv");
      std::filesystem::remove(folder / "exact.csv");
      Files::create_folder(folder / "solution");
      std::vector<CsvTable::Column> energies = energy_columns;
      if (parameters.energy_limits)
        energies.insert(energies.end(),
                        {{"total_before_jump", "J"}, {"total_midpoint", "J"}});
      energy_table =
        std::make_unique<CsvTable>(folder / "energy.csv", energies);
      contact_table =
        std::make_unique<CsvTable>(folder / "contacts.csv", contact_columns);
      probe_table =
        std::make_unique<CsvTable>(folder / "probes.csv", probe_columns());
      std::vector<CsvTable::Column> columns = {{"time", "s"}};
      for (const auto &[x, u] : profile)
        columns.emplace_back(shortest_text(x), "m");
      if (profile.size() > 1)
        space_time_table =
          std::make_unique<CsvTable>(folder / "space_time.csv", columns);
    });
    last_time = state.time;
    write_tables(state, state, ledger, contacts);
    if (parameters.field_interval > 0)
      write_fields(state, 0);
  }



  void
  OutputWriter::reopen(const nlohmann::json &notes)
  {
    frames = notes.at("frames").get<decltype(frames)>();

    last_time = notes.at("last_time");
    collectively(model->communicator, [&]() {
      if (!is_first_rank)
        return;
      const auto table = [&](const std::string &name) {
        return std::make_unique<CsvTable>(folder / (name + ".csv"),
                                          notes.at(name).get<std::uint64_t>());
      };
      energy_table  = table("energy");
      contact_table = table("contacts");
      probe_table   = table("probes");
      if (notes.contains("space_time"))
        space_time_table = table("space_time");
      surfaces.clear();
      for (const auto &frame : frames)
        find_surface(frame);
      if (!frames.empty())
        write_pvd();
    });
  }



  bool
  OutputWriter::fields_are_due(const State &state) const
  {
    return parameters.field_interval > 0 &&
           state.step % parameters.field_interval == 0;
  }



  void
  OutputWriter::write(const State   &before,
                      const State   &state,
                      Ledger        &ledger,
                      ContactRecord &contacts)
  {
    const double duration = state.time - last_time;
    last_time             = state.time;
    if (state.step % parameters.table_interval == 0)
      write_tables(before, state, ledger, contacts);
    if (fields_are_due(state))
      write_fields(state, duration);
  }



  std::vector<double>
  OutputWriter::energy_limits(const State &before, const State &state) const
  {
    if (!parameters.energy_limits)
      return {};
    State        limit = state;
    const double h     = state.time - before.time;
    limit.v            = before.v;
    const double left  = model->energy(limit).total();
    if (h == 0)
      return {left, left};
    limit.time = before.time + h / 2;
    limit.q.sadd(0.5, 0.5, before.q);
    limit.v.equ(1 / h, state.q);
    limit.v.add(-1 / h, before.q);
    return {left, model->energy(limit).total()};
  }



  void
  OutputWriter::write_tables(const State   &before,
                             const State   &state,
                             Ledger        &ledger,
                             ContactRecord &contacts)
  {
    const std::vector<double> limits = energy_limits(before, state);
    std::vector<double>       row    = {state.time};
    for (const Probe &probe : probes)
      row.push_back(probe.value(state));
    const auto   interval             = contacts.take_interval();
    const double residual             = ledger.take_residual();
    const auto   extremes             = ledger.take_extremes();
    const auto [held, is_dissipative] = ledger.take_verdict();
    collectively(model->communicator, [&]() {
      if (!is_first_rank)
        return;
      const Energy        &energy = ledger.energy();
      const Ledger::Works &works  = ledger.works();
      probe_table->add_row(row);
      std::vector<double> energies = {state.time,
                                      energy.kinetic,
                                      energy.strain,
                                      energy.potential,
                                      energy.total(),
                                      works.external,
                                      works.damping,
                                      works.contact,
                                      works.friction,
                                      works.algorithmic_dissipation,
                                      residual,
                                      ledger.algorithmic_energy(),
                                      held ? 1. : 0.,
                                      is_dissipative ? 1. : 0.,
                                      extremes.first,
                                      extremes.second,
                                      works.mesh_change};
      energies.insert(energies.end(), limits.begin(), limits.end());
      energy_table->add_row(energies);
      contact_table->add_row(
        {state.time,
         static_cast<double>(interval.n_active),
         interval.impulse,
         interval.duration > 0 ? interval.impulse / interval.duration : 0,
         interval.max_penetration,
         static_cast<double>(interval.n_iterations),
         interval.residual});
    });
  }



  void
  OutputWriter::write_fields(const State &state, const double duration)
  {
    using Clock      = std::chrono::steady_clock;
    const auto start = Clock::now();
    Vector     force(impulses(state));
    if (duration > 0)
      force /= duration;
    else
      force = 0.;
    const std::string name =
      "solution_" + dealii::Utilities::int_to_string(state.step, 8);
    const std::string file =
      model->write_fields(state,
                          force,
                          {(folder / "solution").string(),
                           parameters.field_files},
                          name);
    frames.emplace_back(state.time, "solution/" + file);
    const auto profile = model->profile(state, parameters.space_time_points);
    collectively(model->communicator, [&]() {
      if (!is_first_rank)
        return;
      add_profile(state.time, profile);
      find_surface(frames.back());
      write_pvd();
    });
    written.seconds +=
      std::chrono::duration<double>(Clock::now() - start).count();
    ++written.n;
  }



  void
  OutputWriter::add_profile(
    const double                                  time,
    const std::vector<std::pair<double, double>> &profile)
  {
    if (!space_time_table)
      return;
    std::vector<double> row = {time};
    for (const auto &[x, u] : profile)
      row.push_back(u);
    space_time_table->add_row(row);
  }



  /// Models with surfaces in contact write them next to the fields.
  void
  OutputWriter::find_surface(const std::pair<double, std::string> &frame)
  {
    const auto &[time, file] = frame;
    std::string surface      = file;
    surface.replace(file.rfind("solution_"), 8, "contact");
    if (std::filesystem::exists(folder / surface))
      surfaces.emplace_back(time, surface);
  }



  void
  OutputWriter::write_pvd() const
  {
    std::ostringstream text;
    dealii::DataOutBase::write_pvd_record(text, frames);
    Files::replace(folder / "solution.pvd", text.str());
    if (surfaces.empty())
      return;
    text.str("");
    dealii::DataOutBase::write_pvd_record(text, surfaces);
    Files::replace(folder / "contact.pvd", text.str());
  }



  void
  OutputWriter::write_space_time() const
  {
    // Quadrilaterals over x (0 to 1) and t (0 to 1): ParaView shows a wave
    // that runs through the bar as a straight line.
    const auto  columns = read_csv(folder / "space_time.csv");
    const auto &times   = columns[0].second;
    const auto  n_x     = static_cast<unsigned int>(columns.size() - 1);
    const auto  n_t     = static_cast<unsigned int>(times.size());
    if (n_t < 2)
      return;
    const double    length   = std::stod(columns.back().first);
    const double    duration = times.back() - times.front();
    FieldPatches<2> fields;
    fields.names = {"displacement", "x", "time"};
    for (unsigned int row = 0; row + 1 < n_t; ++row)
      for (unsigned int i = 1; i < n_x; ++i)
        {
          auto patch        = FieldPatches<2>::make_patch();
          patch.patch_index = static_cast<unsigned int>(fields.patches.size());
          patch.data.reinit(3, 4);
          for (unsigned int corner = 0; corner < 4; ++corner)
            {
              const unsigned int j = i + corner % 2, k = row + corner / 2;
              const double       x = std::stod(columns[j].first);
              patch.vertices[corner] =
                dealii::Point<2>(x / length,
                                 (times[k] - times.front()) / duration);
              patch.data(0, corner) = static_cast<float>(columns[j].second[k]);
              patch.data(1, corner) = static_cast<float>(x);
              patch.data(2, corner) = static_cast<float>(times[k]);
            }
          fields.patches.push_back(patch);
        }
    write_vtu(
      fields, folder.string(), "space_time", times.back(), MPI_COMM_SELF);
  }



  void
  OutputWriter::write_exact_probes() const
  {
    State exact = model->initial_state();
    if (probes.empty() || !model->exact_state(0, exact))
      return;
    std::vector<double> times;
    collectively(model->communicator, [&]() {
      if (is_first_rank)
        times = read_csv(folder / "probes.csv").at(0).second;
    });
    times = dealii::Utilities::MPI::broadcast(model->communicator, times);
    std::vector<std::vector<double>> rows;
    for (const double time : times)
      {
        model->exact_state(time, exact);
        rows.push_back({time});
        for (const Probe &probe : probes)
          rows.back().push_back(probe.value(exact));
      }
    collectively(model->communicator, [&]() {
      if (!is_first_rank)
        return;
      CsvTable table(folder / "exact.csv", probe_columns());
      for (const auto &row : rows)
        table.add_row(row);
      table.flush();
    });
  }



  nlohmann::json
  OutputWriter::notes()
  {
    nlohmann::json notes = {{"frames", frames}, {"last_time", last_time}};
    collectively(model->communicator, [&]() {
      if (!is_first_rank)
        return;
      const auto note = [&](const std::string &name, CsvTable *const table) {
        if (table == nullptr)
          return;
        table->flush();
        Files::synchronize(folder / (name + ".csv"));
        notes[name] = table->size();
      };
      note("energy", energy_table.get());
      note("contacts", contact_table.get());
      note("probes", probe_table.get());
      note("space_time", space_time_table.get());
    });
    return notes;
  }



  void
  OutputWriter::close()
  {
    notes();
    collectively(model->communicator, [this]() {
      if (space_time_table)
        write_space_time();
    });
    write_exact_probes();
  }
} // namespace Percuss
