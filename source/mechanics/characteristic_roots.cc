// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/mechanics/characteristic_roots.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "small_motions.h"

namespace Percuss
{
  namespace
  {
    constexpr unsigned int n_shown = 3;
  }



  CharacteristicRoots
  characteristic_roots(const MechanicalModel &model)
  {
    CharacteristicRoots result;
    if (model.partition()->n_mpi_processes() > 1)
      result.missing = "computed on one rank only";
    else if (model.constraints() != nullptr)
      result.missing = "not computed for models with joints";
    else if (2 * model.partition()->size() > SmallMotions::largest_size)
      result.missing = "computed for up to " +
                       std::to_string(SmallMotions::largest_size / 2) +
                       " degrees of freedom; try a coarser mesh";
    if (!result.missing.empty())
      return result;
    const SmallMotions motions(model);
    if (!motions.has_inertia)
      result.missing = "not computed with massless degrees of freedom";
    else if (motions.is_too_large())
      result.missing = "computed for fewer degrees of freedom or signals; try "
                       "a coarser mesh";
    if (!result.missing.empty())
      return result;
    constexpr unsigned int n_tried = 24;
    unsigned int           count   = 0;
    // Guesses that Newton's method does not confirm count where they are the
    // rightmost ones: better a false alarm.
    bool is_first = true;
    for (SmallMotions::Complex root : motions.approximate_roots(result))
      {
        if (++count > n_tried)
          break;
        if (!motions.improve(root) && !is_first)
          continue;
        is_first = false;
        // A double root is known to the square root of round-off.
        if (std::abs(root.imag()) <= 1e-7 * std::abs(root))
          root = root.real();
        if (root.imag() < 0)
          root = std::conj(root);
        const auto is_same = [&root](const SmallMotions::Complex &other) {
          return std::abs(other - root) <= 1e-7 * std::abs(root);
        };
        if (std::none_of(result.rightmost.begin(),
                         result.rightmost.end(),
                         is_same))
          result.rightmost.push_back(root);
      }
    std::sort(result.rightmost.begin(),
              result.rightmost.end(),
              [](const SmallMotions::Complex &a,
                 const SmallMotions::Complex &b) {
                return a.real() > b.real();
              });
    return result;
  }



  std::string
  CharacteristicRoots::text() const
  {
    if (!missing.empty())
      return missing;
    std::ostringstream result;
    result.precision(4);
    if (rightmost.empty())
      result << "none but " << n_zero << " at 0";
    for (std::size_t i = 0;
         i < std::min<std::size_t>(n_shown, rightmost.size());
         ++i)
      {
        result << (i > 0 ? ", " : "") << rightmost[i].real();
        if (rightmost[i].imag() != 0)
          result << " +- " << rightmost[i].imag() << "i";
      }
    if (!rightmost.empty())
      result << " 1/s";
    if (n_zero > 0 && !rightmost.empty())
      result << ", and " << n_zero << " at 0";
    const double largest = rightmost.empty() ? 0 : rightmost[0].real();
    const bool   is_neutral =
      rightmost.empty() || std::abs(largest) <= 1e-9 * std::abs(rightmost[0]);
    result << ": without contacts, small motions about the start "
           << (largest > 0 && !is_neutral ? "grow" :
               drifts                     ? "drift" :
               is_neutral                 ? "neither decay nor grow" :
                                            "decay");
    if (resolved > 0 &&
        (rightmost.empty() || resolved < 5 * std::abs(rightmost[0])))
      result << " (signals are resolved up to " << resolved << " rad/s)";
    return result.str();
  }
} // namespace Percuss
