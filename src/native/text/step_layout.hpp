#pragma once
// The structure of C that holds a motion, and where in it the slots of a step lie.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "dalembert/step/step_program.hpp"

namespace dalembert {

/// Text that may stand in a comment of C.
std::string in_comment(std::string text);

/// Which slots of a step program live where.
class StepLayout {
 public:
  enum class Memory {
    members,  ///< of a structure, with a comment each
    slots,    ///< of one array, as the interpreter has them
    packs,    ///< of the array of a block of motions, as lanes have them
  };
  /// `stride`: how many packs a block has, so far from each other lie the slots.
  explicit StepLayout(const StepProgram& program, Memory memory = Memory::members,
                      std::size_t stride = 1);

  /// The structure.
  std::string structure() const;
  /// Where a slot lies in the motion `s`: "s->q[0]".
  const std::string& place(std::uint32_t slot) const { return places_.at(slot); }
  bool has_place(std::uint32_t slot) const { return places_.contains(slot); }
  /// What the set-up computes for the steps.
  const std::set<std::uint32_t>& steady() const { return steady_; }
  /// The slots of the state: inputs of entries, turns and carries.
  const std::set<std::uint32_t>& state() const { return state_; }
  /// How many numbers a member holds.
  std::size_t size(const std::string& member) const;

 private:
  struct Member {
    std::string name;
    std::vector<std::string> entries;  ///< what each number is
    std::string comment;
  };

  void add_state(const StepProgram& program);
  void add_steady(const StepProgram& program);
  /// One more number of a member for a slot.
  void put(const std::string& member, std::uint32_t slot, const std::string& meaning);

  Memory memory_;
  std::size_t stride_;
  std::vector<Member> members_;
  std::map<std::uint32_t, std::string> places_;
  std::set<std::uint32_t> steady_, state_;
  std::size_t workspace_ = 0;
};

}  // namespace dalembert
