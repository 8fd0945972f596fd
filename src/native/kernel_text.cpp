#include "kernel_text.hpp"

#include "native/text/advance_text.hpp"
#include "native/text/c_definitions.hpp"
#include "native/text/statements.hpp"
#include "native/text/step_layout.hpp"

namespace dalembert {

std::string kernel_text(const StepProgram& program) {
  const StepLayout layout(program, StepLayout::Memory::slots);
  const std::string step_size = "slots[" + std::to_string(program.step_size_slot()) + "]",
                    start_time = "slots[" + std::to_string(program.start_time_slot()) + "]";
  // AdvanceReport, and the two functions of a Kernel.
  const std::string body =
      table_definitions(program.tape()) + layout.structure() + set_up_text(program, layout) +
      advance_text(program, layout) +
      "typedef struct {\n  unsigned char status;\n  unsigned long long steps, iterations;\n"
      "  double residual;\n} PREFIX_report;\n"
      "static PREFIX_motion PREFIX_motion_in(double* slots, double* workspace, "
      "unsigned long long first) {\n"
      "  PREFIX_motion m = {slots, workspace, " +
      step_size + ", " + start_time +
      ", 0.0, 0.0, first, 0};\n  return m;\n}\n"
      "void dalembert_set_up(const void* view, void* slots, void* workspace) {\n"
      "  PREFIX_motion m = PREFIX_motion_in((double*)slots, (double*)workspace, 0);\n"
      "  (void)view;\n  PREFIX_set_up(&m);\n}\n"
      "void dalembert_advance(const void* view, void* slots, void* workspace, "
      "unsigned long long first, unsigned long long steps, PREFIX_report* report) {\n"
      "  PREFIX_motion m = PREFIX_motion_in((double*)slots, (double*)workspace, first);\n"
      "  (void)view;\n  if (report->status != 0) return;\n"
      "  report->status = (unsigned char)PREFIX_advance(&m, steps);\n"
      "  report->steps += m.steps - first;\n  report->iterations += m.iterations;\n"
      "  if (report->status != 0) report->residual = m.residual;\n}\n";
  const CDefinitions definitions("own");
  return "#include <math.h>\n#include <stddef.h>\n#include <string.h>\n\n" +
         definitions.needed_by(body) + definitions.in_c(body);
}

}  // namespace dalembert
