// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include "plot_panels.h"

#include <percuss/base/error.h>
#include <percuss/base/suggestion.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace Percuss
{
  namespace
  {
    constexpr double       largest_time_in_ms = 0.1; // in s
    constexpr std::size_t  n_rows_of_map      = 600;
    constexpr unsigned int n_maps             = 4;

    constexpr unsigned int n_probe_panels = 6; // of several runs
    constexpr double       round_off = 1e-12, no_round_off = 1e-6; // in m

    /// "step_size=1e-3_type=moreau_jean" of a study as "step size=1e-3 moreau
    /// jean".
    std::string
    default_label(std::string name)
    {
      if (name.find('=') == std::string::npos)
        return name;
      const std::string type = "type=";
      for (std::size_t at = name.find(type); at != std::string::npos;
           at             = name.find(type, at))
        if (at == 0 || name[at - 1] == '_')
          name.erase(at, type.size());
        else
          at += type.size();
      std::replace(name.begin(), name.end(), '_', ' ');
      return name;
    }

    double
    largest_in(const std::vector<double> &values)
    {
      double largest = 0;
      for (const double value : values)
        largest = std::max(largest, std::abs(value));
      return largest;
    }

    /// "height in m".
    std::string
    with_unit(const CsvContents &table, const std::string &name)
    {
      for (const auto &[other, unit] : table.columns)
        if (other == name)
          return name + " in " + unit;
      return name;
    }

    void
    refuse_unknown_probes(const std::vector<std::string> &names,
                          const std::vector<RunTables>   &runs)
    {
      std::vector<std::string> known;
      for (const RunTables &run : runs)
        if (run.probes)
          for (const auto &column : run.probes->columns)
            if (column.first != "time" &&
                std::count(known.begin(), known.end(), column.first) == 0)
              known.push_back(column.first);
      for (const std::string &name : names)
        if (std::count(known.begin(), known.end(), name) == 0)
          throw Error(ExitCode::usage,
                      sentence("unknown probe '" + name + "'" +
                               did_you_mean(name, known)) +
                        " Probes: " + join(known) + ".");
    }

    /// Velocities as difference quotients of the displacements, between the
    /// rows and the columns of the table.
    ColourMap
    velocity_map(const CsvContents               &table,
                 const std::pair<double, double> &range,
                 const double                     factor)
    {
      ColourMap                  map;
      const std::vector<double> &time   = table["time"];
      const auto                 inside = [&](const double t) {
        return t >= range.first && t <= range.second;
      };
      const std::size_t n_rows =
        std::count_if(time.begin(), time.end(), inside);
      const std::size_t   stride = 1 + n_rows / n_rows_of_map;
      std::vector<double> magnitudes;
      for (std::size_t column = 1; column < table.columns.size(); ++column)
        map.x.push_back(std::stod(table.columns[column].first));
      for (std::size_t i = 0; i + stride < time.size(); i += stride)
        {
          const double h = time[i + stride] - time[i];
          if (!inside(time[i]) || !inside(time[i + stride]) || h <= 0)
            continue;
          map.y.push_back(factor * (time[i] + h / 2));
          map.values.emplace_back();
          for (std::size_t column = 1; column < table.columns.size(); ++column)
            {
              const std::vector<double> &u = table.numbers[column];
              map.values.back().push_back((u[i + stride] - u[i]) / h);
              magnitudes.push_back(std::abs(map.values.back().back()));
            }
        }
      if (!magnitudes.empty())
        {
          const auto percentile =
            magnitudes.begin() +
            static_cast<std::ptrdiff_t>((magnitudes.size() - 1) * 99 / 100);
          std::nth_element(magnitudes.begin(), percentile, magnitudes.end());
          map.largest = *percentile > 0 ? *percentile : 1;
        }
      map.label = "velocity in m/s";
      return map;
    }
  } // namespace



  std::vector<std::string>
  names_in(const std::string &list)
  {
    return dealii::Utilities::split_string_list(list, ',');
  }



  PlotPanels::PlotPanels(const std::vector<RunFolder> &folders,
                         const PlotOptions            &options)
    : chosen_probes(names_in(options.probes))
    , phase(names_in(options.phase))
    , range(parse_time_range(options.time_range))
  {
    for (const RunFolder &folder : folders)
      {
        const std::string label = runs.size() < options.labels.size() ?
                                    options.labels[runs.size()] :
                                    default_label(folder.name());
        runs.push_back({folder,
                        label,
                        folder.table("energy"),
                        folder.table("contacts"),
                        folder.table("probes"),
                        folder.table("exact"),
                        folder.table("space_time")});
        for (const auto &table : {runs.back().energy, runs.back().probes})
          if (table && !table->numbers.empty() && !table->numbers[0].empty())
            end_time = std::max(end_time, table->numbers[0].back());
      }
    if (range.first >= end_time || range.second <= 0)
      throw Error(ExitCode::usage,
                  "--time-range '" + options.time_range +
                    "': the runs end at " + shortest_text(end_time) + " s.");
    end_time = std::min(end_time, range.second);
    refuse_unknown_probes(chosen_probes, runs);
    refuse_unknown_probes(phase, runs);
    factor     = end_time < largest_time_in_ms ? 1000 : 1;
    time_label = factor > 1 ? "t in ms" : "t in s";
  }



  Panel
  PlotPanels::panel_over_time(const std::string &title,
                              const std::string &y_label) const
  {
    Panel panel;
    panel.title   = title;
    panel.x_label = time_label;
    panel.y_label = y_label;
    panel.x_range = {factor * std::max(0., range.first), factor * end_time};
    return panel;
  }



  Curve
  PlotPanels::over_time(const CsvContents         &table,
                        const std::vector<double> &values,
                        const std::string         &label) const
  {
    const std::vector<double> &time = table["time"];
    Curve                      curve;
    curve.label = label;
    for (std::size_t i = 0; i < time.size(); ++i)
      if (is_in_range(time[i]))
        {
          curve.x.push_back(factor * time[i]);
          curve.y.push_back(values[i]);
        }
    return curve;
  }



  std::string
  PlotPanels::label(const RunTables &run, const std::string &what) const
  {
    return is_single()  ? what :
           what.empty() ? run.label :
                          run.label + ": " + what;
  }



  double
  PlotPanels::exact_value(const std::string &name) const
  {
    const auto &about = runs[0].folder.about;
    return about.contains("exact_values") &&
               about.at("exact_values").contains(name) ?
             about.at("exact_values").at(name).get<double>() :
             std::numeric_limits<double>::quiet_NaN();
  }



  void
  PlotPanels::add_space_time()
  {
    unsigned int n = 0;
    for (const RunTables &run : runs)
      {
        if (!run.space_time || n == n_maps)
          continue;
        ColourMap map = velocity_map(*run.space_time, range, factor);
        if (map.y.size() < 2)
          continue;
        ++n;
        Panel panel;
        panel.title        = is_single() ? "Waves" : "Waves: " + run.label;
        panel.x_label      = "x in m";
        panel.y_label      = time_label;
        const double first = exact_value("first contact");
        const double last  = exact_value("last contact");
        if (last > first && is_in_range(first) && is_in_range(last))
          {
            Curve front;
            front.label = "exact wave front";
            front.style = Curve::Style::exact;
            front.x     = {map.x.front(), map.x.back(), map.x.front()};
            for (const double time : {first, (first + last) / 2, last})
              front.y.push_back(factor * time);
            panel.curves.push_back(front);
          }
        panel.map = std::move(map);
        panels.push_back(panel);
      }
  }



  void
  PlotPanels::add_force()
  {
    const bool is_rigid    = runs[0].folder.is_rigid();
    Panel      panel       = is_rigid ?
                               panel_over_time("Impulses", "impulse of a step in N s") :
                               panel_over_time("Contact force", "contact force in N");
    bool       has_contact = false;
    for (const RunTables &run : runs)
      {
        if (!run.contacts)
          continue;
        const std::string name  = is_rigid ? "total_impulse" : "total_force";
        Curve             curve = over_time(
          *run.contacts,
          (*run.contacts)[name],
          label(run, is_single() ? run.folder.about.value("scheme", "") : ""));
        curve.style  = is_rigid ? Curve::Style::points : Curve::Style::steps;
        curve.colour = static_cast<unsigned int>(panel.curves.size());
        has_contact =
          has_contact || std::any_of(curve.y.begin(),
                                     curve.y.end(),
                                     [](const double y) { return y != 0; });
        if (is_rigid)
          {
            Curve hits = curve;
            hits.x.clear();
            hits.y.clear();
            for (std::size_t i = 0; i < curve.x.size(); ++i)
              if (curve.y[i] > 0)
                {
                  hits.x.push_back(curve.x[i]);
                  hits.y.push_back(curve.y[i]);
                }
            curve = hits;
          }
        panel.curves.push_back(curve);
      }
    const double first = factor * exact_value("first contact");
    const double last  = factor * exact_value("last contact");
    const double force = exact_value("mean contact force");
    if (!is_rigid && first < last && force > 0)
      panel.curves.push_back({"exact",
                              {0, first, first, last, last, factor * end_time},
                              {0, 0, force, force, 0, 0},
                              Curve::Style::exact});
    // Logarithmic where the impulses have several orders of magnitude.
    double least = std::numeric_limits<double>::max(), most = 0;
    for (const Curve &curve : panel.curves)
      for (const double y : curve.y)
        {
          least = std::min(least, y);
          most  = std::max(most, y);
        }
    panel.y_is_logarithmic = is_rigid && most > 30 * least;
    if (has_contact)
      panels.push_back(panel);
  }



  std::vector<std::string>
  PlotPanels::probes_of(const CsvContents &table, const std::string &unit) const
  {
    std::vector<std::string> names;
    for (const auto &[name, unit_of_column] : table.columns)
      if (name != "time" && unit_of_column == unit &&
          (chosen_probes.empty() ||
           std::count(chosen_probes.begin(), chosen_probes.end(), name) > 0))
        names.push_back(name);
    return names;
  }



  bool
  PlotPanels::is_round_off(const std::string &probe) const
  {
    double largest = 0, largest_of_others = 0;
    for (const RunTables &run : runs)
      for (std::size_t i = 1; run.probes && i < run.probes->columns.size(); ++i)
        {
          const auto &[name, unit] = run.probes->columns[i];
          if (name == probe && unit != "m")
            return false;
          double &number = name == probe ? largest : largest_of_others;
          number         = std::max(number, largest_in(run.probes->numbers[i]));
        }
    return largest < round_off && largest_of_others > no_round_off;
  }



  std::vector<std::string>
  PlotPanels::probes_of_all_runs(const std::string &unit) const
  {
    std::vector<std::string> names;
    for (const RunTables &run : runs)
      if (run.probes)
        for (const std::string &name : probes_of(*run.probes, unit))
          if (std::count(names.begin(), names.end(), name) == 0)
            names.push_back(name);
    return names;
  }



  void
  PlotPanels::add_exact(Panel                          &panel,
                        const std::vector<std::string> &names) const
  {
    bool is_first = true;
    for (const std::string &name : names)
      {
        if (!runs[0].exact || runs[0].exact->find(name) == nullptr ||
            is_round_off(name))
          continue;
        Curve curve = over_time(*runs[0].exact,
                                (*runs[0].exact)[name],
                                is_first ? "exact" : "");
        curve.style = Curve::Style::exact;
        panel.curves.push_back(curve);
        is_first = false;
      }
  }



  void
  PlotPanels::add_probe_panel(const std::string              &unit,
                              const std::string              &title,
                              const std::vector<std::string> &names)
  {
    Panel      panel   = panel_over_time(title,
                                  (unit == "m"   ? "displacement" :
                                          unit == "m/s" ? "velocity" :
                                          unit == "Pa"  ? "stress" :
                                                          "probe") +
                                    std::string(" in ") + unit);
    const bool is_only = names.size() == 1;
    if (is_only)
      panel.y_label = names[0] + " in " + unit;
    for (std::size_t i = 0; i < runs.size(); ++i)
      for (const std::string &name : names)
        if (runs[i].probes && runs[i].probes->find(name) != nullptr)
          {
            Curve curve = over_time(*runs[i].probes,
                                    (*runs[i].probes)[name],
                                    is_single() ? name : runs[i].label);
            curve.colour =
              static_cast<unsigned int>(is_single() ? panel.curves.size() : i);
            panel.curves.push_back(curve);
          }
    if (panel.curves.empty())
      return;
    add_exact(panel, names);
    const bool is_small =
      std::all_of(names.begin(), names.end(), [this](const auto &name) {
        return is_round_off(name);
      });
    (is_small ? last_panels : panels).push_back(panel);
  }



  void
  PlotPanels::add_probes_of_unit(const std::string &unit,
                                 const std::string &title)
  {
    const auto names = probes_of_all_runs(unit);
    if (is_single() || names.size() == 1)
      return add_probe_panel(unit, title, names);
    for (const std::string &name : names)
      if (n_probes++ < n_probe_panels)
        add_probe_panel(unit, title, {name});
  }



  void
  PlotPanels::add_last()
  {
    panels.insert(panels.end(), last_panels.begin(), last_panels.end());
    last_panels.clear();
  }



  void
  PlotPanels::add_probes(const std::string &unit)
  {
    if (unit == "m")
      return add_probes_of_unit(unit, "Motion");
    if (unit == "m/s")
      return add_probes_of_unit(unit, "Velocity");
    std::set<std::string> others;
    for (const RunTables &run : runs)
      if (run.probes)
        for (const auto &column : run.probes->columns)
          if (column.first != "time")
            others.insert(column.second);
    others.erase("m");
    others.erase("m/s");
    for (const std::string &other : others)
      add_probes_of_unit(other, other == "Pa" ? "Stress" : "Probes");
  }



  void
  PlotPanels::add_energy()
  {
    Panel panel = panel_over_time("Energy", "energy in J");
    if (is_single() && runs[0].energy)
      {
        const CsvContents &table = *runs[0].energy;
        for (const std::string name : {"kinetic", "strain", "potential"})
          {
            Curve      curve = over_time(table, table[name], name);
            const bool is_all_zero =
              std::all_of(curve.y.begin(), curve.y.end(), [](const double y) {
                return y == 0;
              });
            curve.colour = static_cast<unsigned int>(panel.curves.size());
            if (!is_all_zero)
              panel.curves.push_back(curve);
          }
        Curve total  = over_time(table, table["total"], "total");
        total.colour = 6;
        panel.curves.push_back(total);
        std::vector<double> booked = table["total"];
        for (std::size_t i = 0; i < booked.size(); ++i)
          booked[i] += table["algorithmic_dissipation"][i];
        for (const std::string name : {"work_external",
                                       "work_damping",
                                       "work_contact",
                                       "work_friction",
                                       "mesh_change"})
          if (const auto *const work = table.find(name); work != nullptr)
            for (std::size_t i = 0; i < booked.size(); ++i)
              booked[i] -= (*work)[i];
        Curve with_losses  = over_time(table, booked, "total and all losses");
        with_losses.dashes = 1;
        with_losses.colour = 3;
        panel.curves.push_back(with_losses);
      }
    for (std::size_t i = 0; !is_single() && i < runs.size(); ++i)
      if (runs[i].energy)
        {
          Curve curve  = over_time(*runs[i].energy,
                                  (*runs[i].energy)["total"],
                                  runs[i].label);
          curve.colour = static_cast<unsigned int>(i);
          panel.curves.push_back(curve);
        }
    if (!is_single())
      panel.title = "Total energy";
    if (!panel.curves.empty())
      panels.push_back(panel);
  }



  /// The first probe and the first of its rate: m and m/s, rad and rad/s.
  std::vector<std::string>
  PlotPanels::phase_axes(const CsvContents &table) const
  {
    for (const std::string unit : {"m", "rad"})
      {
        auto positions = probes_of(table, unit);
        positions.erase(std::remove_if(positions.begin(),
                                       positions.end(),
                                       [this](const std::string &name) {
                                         return is_round_off(name);
                                       }),
                        positions.end());
        const auto rates = probes_of(table, unit + "/s");
        if (!positions.empty() && !rates.empty())
          return {positions[0], rates[0]};
      }
    return {};
  }



  void
  PlotPanels::add_phase()
  {
    Panel panel;
    panel.title = "Phase portrait";
    for (std::size_t i = 0; i < runs.size(); ++i)
      for (const auto *const table : {&runs[i].probes, &runs[i].exact})
        {
          const bool is_exact = table == &runs[i].exact;
          if (!*table || (is_exact && i > 0))
            continue;
          const auto axes = phase.empty() ? phase_axes(**table) : phase;
          if (axes.size() != 2 || (*table)->find(axes[0]) == nullptr ||
              (*table)->find(axes[1]) == nullptr)
            continue;
          Curve curve  = over_time(**table,
                                  (**table)[axes[1]],
                                  is_exact    ? "exact" :
                                   is_single() ? "motion" :
                                                 runs[i].label);
          curve.x      = over_time(**table, (**table)[axes[0]], "").y;
          curve.colour = static_cast<unsigned int>(i);
          if (is_exact)
            curve.style = Curve::Style::exact;
          panel.curves.push_back(curve);
          panel.x_label = with_unit(**table, axes[0]);
          panel.y_label = with_unit(**table, axes[1]);
        }
    if (!panel.curves.empty())
      panels.push_back(panel);
  }
} // namespace Percuss
