#pragma once
// What the numbers of a text in C are: a double, or packs of doubles beside each other.

#include <string>

namespace dalembert {

/// Statements are written for one number. Where numbers are packs, every statement is there once
/// for each of some packs that go through it together, so that a machine has work while it waits
/// for one of them.
struct NumberForm {
  int width = 1;  ///< doubles in a number: 1, or what a vector holds
  int packs = 1;  ///< numbers side by side
  /// Doubles in the vectors that hold the stages of a step of one motion; 0: no vectors, one stage
  /// after the other.
  int stage_width = 0;

  bool is_one() const { return width == 1; }

  /// A literal as a number, and masks.
  std::string constant(const std::string& literal) const;
  std::string nowhere() const { return is_one() ? "0" : "nowhere()"; }
  std::string everywhere() const { return is_one() ? "1" : "everywhere()"; }
  /// Adds one to a number where a mask holds; packs only.
  static std::string count_one(const std::string& number, const std::string& mask) {
    return number + " = " + number + " + select(" + mask + ", broadcast(1.0), broadcast(0.0));";
  }
  /// Whether a mask holds anywhere, or everywhere, in all packs.
  std::string any(const std::string& mask) const;
  std::string all(const std::string& mask) const;

  /// Statements, each once for every pack: what stands for a number of a motion gets the pack's
  /// number at its end. Variables within the braces of a statement are its own.
  std::string each(const std::string& statements) const;
  /// An expression for one pack.
  std::string of(int pack, const std::string& expression) const;
};

}  // namespace dalembert
