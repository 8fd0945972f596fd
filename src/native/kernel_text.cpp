#include "kernel_text.hpp"

#include "native/text/advance_text.hpp"
#include "native/text/c_definitions.hpp"
#include "native/text/pack_advance_text.hpp"
#include "native/text/stage/stage_lanes_text.hpp"
#include "native/text/statements.hpp"
#include "native/text/step_layout.hpp"

namespace dalembert {
namespace {

/// Where stages lie in lanes the interpreter's set-up is taken, which has in it what only its steps
/// need.
std::string kernel_of_one(const StepProgram& program, const NumberForm& form) {
  const StepLayout layout(program, StepLayout::Memory::slots);
  const std::string step_size = "slots[" + std::to_string(program.step_size_slot()) + "]",
                    start_time = "slots[" + std::to_string(program.start_time_slot()) + "]";
  const std::string set_up =
      "void dalembert_set_up(const void* view, void* slots, void* workspace) {\n"
      "  PREFIX_motion m = PREFIX_motion_in((double*)slots, (double*)workspace, 0);\n"
      "  (void)view;\n  PREFIX_set_up(&m);\n}\n";
  const bool has_set_up = form.stage_width == 0;
  return table_definitions(program.tape()) + layout.structure() +
         (has_set_up ? set_up_text(program, layout) : "") + advance_text(program, layout, form) +
         report_type() +
         "static PREFIX_motion PREFIX_motion_in(double* slots, double* workspace, "
         "unsigned long long first) {\n"
         "  PREFIX_motion m = {slots, workspace, " +
         step_size + ", " + start_time + ", 0.0, 0.0, first, 0, 0};\n  return m;\n}\n" +
         (has_set_up ? set_up : "") +
         "void dalembert_advance(const void* view, void* slots, void* workspace, "
         "unsigned long long first, unsigned long long steps, PREFIX_report* report) {\n"
         "  PREFIX_motion m = PREFIX_motion_in((double*)slots, (double*)workspace, first);\n"
         "  (void)view;\n  if (report->status != 0) return;\n"
         "  report->status = (unsigned char)PREFIX_advance(&m, steps);\n"
         "  report->steps += m.steps - first;\n  report->iterations += m.iterations;\n"
         "  report->leaves_step = (unsigned char)m.leaves;\n"
         "  if (report->status != 0) report->residual = m.residual;\n}\n";
}

/// The packs of a block one after the other, some side by side.
std::string kernel_of_packs(const StepProgram& program, int members, const NumberForm& form) {
  const int packs_in_block = members / form.width;
  const StepLayout layout(program, StepLayout::Memory::packs,
                          static_cast<std::size_t>(packs_in_block));
  const std::string side_by_side = std::to_string(form.packs),
                    workspace = std::to_string(program.workspace_size());
  const std::string motions =
      "  Number* const numbers = (Number*)slots;\n"
      "  Number* const memory = (Number*)workspace;\n  int pack, i;\n  (void)view;\n"
      "  for (pack = 0; pack < " +
      std::to_string(packs_in_block) + "; pack += " + side_by_side + ") {\n    PREFIX_motion m[" +
      side_by_side + "];\n    for (i = 0; i < " + side_by_side +
      "; ++i) {\n      m[i].slots = numbers + pack + i;\n      m[i].workspace = memory + (pack + "
      "i) * " +
      workspace + ";\n    }\n";
  return table_definitions(program.tape()) + layout.structure() +
         set_up_text(program, layout, form) + report_type() +
         pack_advance_text(program, layout, form) +
         "void dalembert_set_up(const void* view, void* slots, void* workspace) {\n" + motions +
         "    for (i = 0; i < " + side_by_side +
         "; ++i) PREFIX_set_up(m + i);\n  }\n}\n"
         "void dalembert_advance(const void* view, void* slots, void* workspace, unsigned long "
         "long first, unsigned long long steps, PREFIX_report* reports) {\n" +
         motions + "    PREFIX_advance(m, first, steps, reports + pack * " +
         std::to_string(form.width) + ");\n  }\n}\n";
}

/// A text with the definitions that it needs, whose names begin with a prefix.
std::string in_c(const std::string& text, const std::string& prefix, const NumberForm& form) {
  if (text.empty()) return {};
  const CDefinitions definitions(prefix, form);
  return definitions.types() + definitions.needed_by(text) + definitions.in_c(text);
}

}  // namespace

std::string kernel_text(const StepProgram& program, int members, const NumberForm& form) {
  const std::string head = "#include <math.h>\n#include <stddef.h>\n#include <string.h>\n\n",
                    body = form.is_one() ? kernel_of_one(program, form)
                                         : kernel_of_packs(program, members, form);
  return head + in_c(functions_of_stages(program, form), "lanes", form_of_stages(form)) +
         in_c(body, "own", form);
}

}  // namespace dalembert
