// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 by the Percuss authors

#include <percuss/base/registry.h>
#include <percuss/steppers/general_alpha.h>
#include <percuss/steppers/nonsmooth_alpha.h>
#include <percuss/steppers/scheme_of_kind.h>

namespace Percuss
{
  namespace
  {
    /// Nonsmooth generalized-alpha scheme at velocity level (Q. Chen, V.
    /// Acary, G. Virlez, O. Bruels, Int. J. Numer. Meth. Engng 96, 2013; V.
    /// Acary, seminar slides 2013, equation (53)): the smooth part of the
    /// motion by the generalized-alpha method, the impulses apart,
    /// @f[ (1-\alpha_m) M a_{k+1} + \alpha_m M a_k
    ///     = (1-\alpha_f) f_{k+1} + \alpha_f f_k, \qquad
    ///     M w = D^T \lambda, @f]
    /// @f[ v_{k+1} = v_k + h [(1-\gamma) a_k + \gamma a_{k+1}] + w, @f]
    /// @f[ q_{k+1} = q_k + h v_k
    ///     + h^2 [(\tfrac12-\beta) a_k + \beta a_{k+1}] + \tfrac h2 w. @f]
    /// Order 1 with impacts, 2 in smooth phases. Energy: equations (73), (75,
    /// corrected) and (86); doc/schemes/generalized_alpha.md has the balance of
    /// the others. For models that are not linear: GeneralAlpha.
    class GeneralizedAlpha : public SchemeOfKind
    {
    public:
      using Parameters = AlphaParameters;

      GeneralizedAlpha(const Parameters &parameters, const Context &context)
        : SchemeOfKind(make(parameters.coefficients(), context))
      {}

    private:
      static std::unique_ptr<TimeStepper>
      make(const AlphaCoefficients &coefficients, const Context &context)
      {
        if (context.model.is_linear())
          return std::make_unique<NonsmoothAlpha>(coefficients, context);
        return std::make_unique<GeneralAlpha>(coefficients, context);
      }
    };

    const Registration<TimeStepper, GeneralizedAlpha> registration(
      "generalized alpha",
      "nonsmooth generalized-alpha scheme with the parameters of "
      "Newmark, HHT or Chung and Hulbert",
      {{"order", "1 with impacts, 2 in smooth motion"},
       {"energy",
        "Newmark and HHT dissipate K or H for 2 beta >= gamma >= "
        "1/2, mainly at high frequencies"},
       {"penetration", "of the order of h times the impact velocity"}});
  } // namespace
} // namespace Percuss
