#include "step_layout.hpp"

#include <algorithm>
#include <cctype>

#include "native/text/stage/stage_text.hpp"
#include "statements.hpp"

namespace dalembert {

std::string in_comment(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }, ' ');
  for (const char* mark : {"*/", "/*"}) {
    for (std::size_t i = text.find(mark); i != std::string::npos; i = text.find(mark, i))
      text.insert(i + 1, 1, ' ');
  }
  return text;
}

namespace {

constexpr std::size_t widest_comment = 96;

/// A comment after a member, in lines that are not too wide.
std::string comment_of(const std::string& words) {
  const std::string text = in_comment(words);
  std::string result, line = "  /* ";
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t end = std::min(text.find(' ', from), text.size());
    if (line.size() + end - from > widest_comment) {
      result += line + "\n";
      line = "     ";
    }
    line += (line.back() == ' ' ? "" : " ") + text.substr(from, end - from);
    from = end + 1;
  }
  return result + line + " */\n";
}

}  // namespace

StepLayout::StepLayout(const StepProgram& program, Memory memory, std::size_t stride)
    : memory_(memory),
      stride_(stride),
      members_{{"parameters", {}, "Parameters."},
               {"q", {}, "Coordinates."},
               {"turns",
                {},
                "Whole turns of angles, which are in [-pi, pi]: 2 pi turns is to be "
                "added."},
               {"v", {}, "Velocities."},
               {"lambda", {}, "Multipliers of the constraints (forces)."},
               {"carried", {}, "What the next step needs beside them."},
               {"error_estimate", {}, "Estimated errors of the last step."},
               {"dense", {}, "What interpolates within the last step."},
               {"history", {}, "Where Newton's iterations of the next step begin."},
               {"q_carry", {}, "What the rounding of q lost."},
               {"v_carry", {}, "What the rounding of v lost."},
               {"steady", {}, "Computed once for all steps."}} {
  const std::vector<Parameter>& parameters = program.system().description().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    put("parameters", program.parameter_slots()[i], parameters[i].name);
  add_state(program);
  add_steady(program);
  workspace_ = solve_workspace(program.tape());
  for (const TapeStages& stages : program.tape().stages) workspace_ += stage_workspace(stages);
}

void StepLayout::add_state(const StepProgram& program) {
  const System& system = program.system();
  const std::vector<Coordinate> stored = system.configuration().storage();
  const StateEntry* entry = program.entries().data();
  const auto each = [&](const std::string& member, std::size_t count, const std::string& carry,
                        const auto& name) {
    for (std::size_t i = 0; i < count; ++i, ++entry) {
      put(member, entry->input, name(i));
      state_.insert(entry->input);
      if (entry->turns != StateEntry::none) put("turns", entry->turns, name(i));
      if (entry->carry != StateEntry::none) put(carry, entry->carry, name(i));
      for (const std::uint32_t slot : {entry->turns, entry->carry})
        if (slot != StateEntry::none) state_.insert(slot);
    }
  };
  const std::vector<std::string> velocities = system.velocity_count() == 0
                                                  ? std::vector<std::string>{}
                                                  : system.configuration().velocity_names();
  const std::vector<std::string> carried = program.method().carried_names(system);
  each("q", program.storage_count(), "q_carry",
       [&](std::size_t i) { return stored[i].name + (stored[i].is_angle ? " (angle)" : ""); });
  each("v", program.velocity_count(), "v_carry", [&](std::size_t i) { return velocities[i]; });
  each("lambda", program.lambda_count(), "",
       [&](std::size_t i) { return "constraint " + std::to_string(i + 1); });
  each("carried", program.carried_count(), "", [&](std::size_t i) { return carried[i]; });
  const auto nameless = [](std::size_t) { return std::string(); };
  each("error_estimate", program.error_count(), "", nameless);
  each("dense", program.dense_count(), "", nameless);
  each("history", program.history_count(), "", nameless);
  // Only compiled steps are watched.
  if (memory_ != Memory::members && !program.watched().empty()) {
    put("", program.is_watching_slot(), "");
    for (const WatchedEntry& entry : program.watched()) {
      for (const std::uint32_t slot : {entry.lowest, entry.highest, entry.lower, entry.upper})
        put("", slot, "");
    }
  }
  if (memory_ == Memory::packs) {
    put("", program.step_size_slot(), "");
    put("", program.start_time_slot(), "");
    return;
  }
  places_[program.step_size_slot()] = "s->step_size";
  places_[program.start_time_slot()] = "s->start_time";
}

void StepLayout::add_steady(const StepProgram& program) {
  // Compensated steps vary in size and compute it anew.
  if (program.options().compensated) return;
  SlotUse setup;
  setup.add(program.tape(), 0, program.tape().setup_end);
  for (const std::uint32_t slot :
       SlotUse::of_steps(program.tape(), program.tape().setup_end).read) {
    if (!setup.written.contains(slot)) continue;
    put("steady", slot, "");
    steady_.insert(slot);
  }
}

void StepLayout::put(const std::string& member, std::uint32_t slot, const std::string& meaning) {
  if (memory_ != Memory::members) {
    places_[slot] = "s->slots[" + std::to_string(slot * stride_) + "]";
    return;
  }
  const auto found = std::ranges::find(members_, member, &Member::name);
  places_[slot] = "s->" + member + "[" + std::to_string(found->entries.size()) + "]";
  found->entries.push_back(meaning);
}

std::size_t StepLayout::size(const std::string& member) const {
  return std::ranges::find(members_, member, &Member::name)->entries.size();
}

std::string StepLayout::structure() const {
  if (memory_ == Memory::packs)
    return "typedef struct {\n  Number *slots, *workspace;\n} PREFIX_motion;\n";
  if (memory_ == Memory::slots) {
    return "typedef struct {\n  double *slots, *workspace;\n  double step_size, start_time, t, "
           "residual;\n  unsigned long long steps, iterations;\n  int leaves;\n} PREFIX_motion;\n";
  }
  std::string text =
      "typedef struct {\n  double step_size;\n"
      "  /* Time of step number 0, and now. */\n  double start_time, t;\n"
      "  unsigned long long steps;      /* taken */\n"
      "  unsigned long long iterations; /* passes of Newton's method */\n"
      "  double residual;               /* of a step that was refused */\n";
  for (const Member& member : members_) {
    if (member.entries.empty()) continue;
    std::string comment = member.comment;
    for (std::size_t i = 0; i < member.entries.size(); ++i) {
      if (!member.entries[i].empty()) comment += (i == 0 ? " " : ", ") + member.entries[i];
    }
    text += comment_of(comment) + "  double " + member.name + "[" +
            std::to_string(member.entries.size()) + "];\n";
  }
  if (workspace_ > 0) {
    text += comment_of("For large linear systems and stages.") + "  double workspace[" +
            std::to_string(workspace_) + "];\n";
  }
  return text + "} PREFIX_motion;\n";
}

}  // namespace dalembert
