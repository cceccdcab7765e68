// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/driver/series.h>
#include <percuss/driver/study.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace Percuss
{
  namespace
  {
    constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
    constexpr double round_off    = 1e-12; ///< relative

    std::string
    with_underscores(std::string text)
    {
      std::replace(text.begin(), text.end(), ' ', '_');
      return text;
    }

    double
    number_in(const nlohmann::json &object, const std::string &name)
    {
      return object.contains(name) && object.at(name).is_number() ?
               object.at(name).get<double>() :
               not_a_number;
    }

    /// The largest number of all probes with this unit: a probe that shows
    /// round-off only is small beside its neighbours.
    double
    magnitude_of(const CsvContents &probes, const std::string &unit)
    {
      double largest = 0;
      for (std::size_t i = 1; i < probes.columns.size(); ++i)
        if (probes.columns[i].second == unit)
          for (const double number : probes.numbers[i])
            largest = std::max(largest, std::abs(number));
      return largest;
    }

    double
    initial_energy(const RunFolder &run)
    {
      const auto energy = run.table("energy");
      return energy && !(*energy)["total"].empty() ?
               std::abs((*energy)["total"].front()) :
               0;
    }
  } // namespace



  double
  energy_drift(const CsvContents &energy)
  {
    const std::vector<double> &total = energy["total"];
    if (total.empty())
      return not_a_number;
    const auto change = [&](const std::string &name) {
      return energy[name].back() - energy[name].front();
    };
    double scale = 0;
    for (std::size_t i = 0; i < total.size(); ++i)
      scale = std::max({scale,
                        std::abs(total[i]),
                        energy["kinetic"][i] + energy["strain"][i],
                        std::abs(energy["work_external"][i])});
    const double drift =
      change("total") - change("work_external") - change("work_damping");
    return scale > 0 ? drift / scale : 0;
  }



  std::vector<Measure>
  measure_errors(const RunFolder                  &run,
                 const std::optional<CsvContents> &reference,
                 const std::string                &norm)
  {
    std::vector<Measure> measures;
    if (const auto probes = run.table("probes"); probes)
      for (std::size_t i = 1; i < probes->columns.size(); ++i)
        {
          const auto &[name, unit] = probes->columns[i];
          const std::vector<double> *const exact =
            reference ? reference->find(name) : nullptr;
          const double error =
            exact == nullptr ? not_a_number :
                               difference_norm(norm,
                                               probes->numbers[i],
                                               interpolate((*reference)["time"],
                                                           *exact,
                                                           (*probes)["time"]));
          measures.push_back({"error_" + name,
                              unit,
                              error,
                              true,
                              round_off * magnitude_of(*probes, unit),
                              true});
        }
    const auto  &about  = run.about;
    const double energy = initial_energy(run);
    if (about.contains("exact_values"))
      for (const auto &[name, number] : about.at("exact_values").items())
        {
          const auto        exact = number.get<double>();
          const double      found = number_in(about.at("final_values"), name);
          const std::string unit =
            about.value("exact_units", nlohmann::json::object())
              .value(name, "1");
          const double magnitude = std::max(
            {std::abs(exact), std::abs(found), unit == "J" ? energy : 0.});
          measures.push_back({"error_" + with_underscores(name),
                              unit,
                              std::abs(found - exact),
                              true,
                              round_off * magnitude});
        }
    return measures;
  }



  std::vector<Measure>
  measure_run(const RunFolder &run)
  {
    const auto   energy = run.table("energy"), contacts = run.table("contacts");
    const auto  &values    = run.about.at("final_values");
    const double variation = contacts && !run.is_rigid() ?
                               force_variation((*contacts)["time"],
                                               (*contacts)["total_impulse"],
                                               (*contacts)["total_force"]) :
                               not_a_number;
    return {{"energy_drift",
             "1",
             energy ? energy_drift(*energy) : not_a_number},
            {"max_penetration", "m", number_in(values, "max penetration")},
            {"contact_impulse", "N s", number_in(values, "contact impulse")},
            {"force_variation", "1", variation},
            {"time_of_step",
             "us",
             1e6 * number_in(run.about, "stepping_seconds") /
               number_in(run.about, "steps_of_this_session")}};
  }
} // namespace Percuss
