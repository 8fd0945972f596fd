#pragma once
// The option `gradient` of methods with a discrete gradient.

#include "dalembert/mechanics/difference/discrete_gradient.hpp"
#include "dalembert/method/page.hpp"

namespace dalembert {

/// The words of the option.
inline Words<GradientKind> gradient_words() {
  return {{GradientKind::gonzalez, "gonzalez"},
          {GradientKind::mean_value, "mean-value"},
          {GradientKind::coordinate_increment, "coordinate-increment"},
          {GradientKind::symmetric_increment, "symmetric-increment"}};
}

/// Whether exchanged ends leave the discrete gradient as it is.
inline bool is_symmetric(GradientKind gradient) {
  return gradient != GradientKind::coordinate_increment;
}

/// Whether a discrete gradient of a sum of functions of different variables is the sum of theirs.
inline bool separates(GradientKind gradient) {
  return gradient != GradientKind::gonzalez && gradient != GradientKind::bilinear;
}

}  // namespace dalembert
