#include "stage_blocks_text.hpp"

#include "dalembert/step/detail/stage_loop.hpp"

namespace dalembert {

void StageBlocksText::add_block(const TapeStages::Block& block) {
  add_function(2 * std::size_t{block.part_begin});
  add_rates(2 * std::size_t{block.part_begin});
  open("{");
  each("Mask active = settled;");
  for (std::uint32_t p = block.part_begin; p < block.part_end; ++p)
    each("Number size_" + number(p) + " = " + zero() + ", previous_" + number(p) + " = " + zero() +
         ";");
  open("for (sweep = 0; sweep < " + number(most_sweeps) + " && " + form_.any("active") +
       "; ++sweep) {");
  each("Mask done = " + form_.everywhere() + ", slow = " + form_.nowhere() + ";");
  count_sweep();
  for (std::uint32_t p = block.part_begin; p < block.part_end; ++p) {
    add_function(2 * std::size_t{p} + 1);
    add_means(p);
    add_rates(2 * std::size_t{p} + 1);
    open("{");
    each("Number change = " + zero() + ";");
    add_take(p);
    add_move(p);
    if (block.iterates) add_judgement(block, p);
    close();
  }
  each("settled = settled & negation(active & slow & negation(done));");
  each("active = active & negation(done) & negation(slow);");
  close();
  count_sweeps();
  each("settled = settled & negation(active);");
  close();
}

void StageBlocksText::add_judgement(const TapeStages::Block& block, std::uint32_t part) {
  if (form_.is_one()) {
    judge(block, part);
  } else {
    each_block(form_, [&] { judge(block, part); });
  }
}
void StageBlocksText::judge(const TapeStages::Block& block, std::uint32_t part) {
  const std::string size = "size_" + number(part), previous = "previous_" + number(part),
                    compensated = program_.options().compensated ? "1" : "0",
                    round_off = form_.constant(round_off_literal);
  line("Mask is_done = change <= 0.0, is_slow = " + form_.nowhere() +
       ", rests = " + form_.nowhere() + ";");
  open("if (sweep > 0) {");
  line("rests = " + previous + " < 0.0;");
  line("is_done = sweep_is_small(change, " + previous + ", " + size + ", " + compensated + ", " +
       round_off + ");");
  line("is_slow = sweeps_are_slow(change, " + previous + ") & negation(rests);");
  close();
  open("if (any(is_slow)) {");
  line("Number scale = " + zero() + ";");
  line("Mask here, near, at_rest;");
  const StepView view = program_.view();
  for (std::size_t i = 0; i < view.state_count; ++i)
    line("scale = scale + pack_abs(" + slot_name(view.entries[i].input) + ");");
  line("scale = scale / pack_abs(" + slot_name(stages_.step) + ");");
  for (std::uint32_t p = block.part_begin; p < block.part_end; ++p)
    line("scale = larger_of(scale, size_" + number(p) + ");");
  line("here = is_round_off(change, scale, " + round_off + ");");
  line("near = may_be_round_off(change, scale, " + round_off + ");");
  line("at_rest = near & sweeps_have_settled(change, " + previous + ");");
  line("rests = rests | (is_slow & (here | at_rest));");
  line("if (sweep >= " + number(sweeps_free) + ") slow = slow | (is_slow & negation(near));");
  close();
  line("done = done & (is_done | rests);");
  line(previous + " = select(rests, " + form_.constant("-1.0") + ", change);");
}

}  // namespace dalembert
