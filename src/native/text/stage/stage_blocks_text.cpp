#include "stage_blocks_text.hpp"

#include "dalembert/step/detail/stage_loop.hpp"

namespace dalembert {

void StageBlocksText::add_block(const TapeStages::Block& block) {
  add_function(2 * std::size_t{block.part_begin});
  add_rates(2 * std::size_t{block.part_begin});
  open("{");
  each("Mask active = settled;");
  for (std::uint32_t p = block.part_begin; p < block.part_end; ++p) {
    std::string memories;
    for (const char* name : {"size_", "previous_", "largest_", "largest_before_", "uneven_"}) {
      memories += (memories.empty() ? "Number " : ", ") + (name + number(p)) + " = " + zero();
      if (!block.iterates) break;  // the rest is for judgements
    }
    each(memories + ";");
  }
  open("for (sweep = 0; sweep < " + std::to_string(block.patience.most) + " && " +
       form_.any("active") + "; ++sweep) {");
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
  each_block(form_, [&] { judge(block, part); });
  const std::string free = std::to_string(sweeps_free),
                    window = std::to_string(block.patience.window);
  open("if (sweep >= " + free + " && (sweep - " + free + " + 1) % " + window + " == 0) {");
  each_block(form_, [&] { end_window(block, part); });
  close();
}

/// The scale of the round-off of rates.
void StageBlocksText::add_scale(const TapeStages::Block& block) {
  line("Number scale = " + zero() + ";");
  const StepView view = program_.view();
  for (std::size_t i = 0; i < view.state_count; ++i)
    line("scale = scale + pack_abs(" + slot_name(view.entries[i].input) + ");");
  line("scale = scale / pack_abs(" + slot_name(stages_.step) + ");");
  for (std::uint32_t p = block.part_begin; p < block.part_end; ++p)
    line("scale = larger_of(scale, size_" + number(p) + ");");
}

void StageBlocksText::judge(const TapeStages::Block& block, std::uint32_t part) {
  const std::string size = "size_" + number(part), previous = "previous_" + number(part),
                    uneven = "uneven_" + number(part), largest = "largest_" + number(part),
                    compensated = program_.options().compensated ? "1" : "0",
                    round_off = form_.constant(round_off_literal);
  line("Mask is_done = change <= 0.0, stalls = " + form_.nowhere() +
       ", rests = " + form_.nowhere() + ";");
  open("if (sweep > 0) {");
  line("rests = " + previous + " < 0.0;");
  line("is_done = sweep_is_small(change, " + previous + ", " + size + ", " + uneven + ", " +
       compensated + ", " + round_off + ");");
  line("stalls = sweep_stalls(change, " + previous + ") & negation(rests);");
  close();
  open("if (any(stalls)) {");
  line("Mask here, near, at_rest;");
  add_scale(block);
  line("here = is_round_off(change, scale, " + round_off + ");");
  line("near = may_be_round_off(change, scale, " + round_off + ");");
  line("at_rest = near & sweeps_have_settled(change, " + previous + ");");
  line("rests = rests | (stalls & (" + uneven + " <= 0.0) & (here | at_rest));");
  line("if (sweep >= " + std::to_string(sweeps_free) + ") " + uneven +
       " = select(stalls & negation(near), " + form_.constant("1.0") + ", " + uneven + ");");
  close();
  line("if (sweep >= " + std::to_string(sweeps_free) + ") " + largest + " = larger_of(" + largest +
       ", change);");
  line("done = done & (is_done | rests);");
  line(previous + " = select(rests, " + form_.constant("-1.0") + ", change);");
}

void StageBlocksText::end_window(const TapeStages::Block& block, std::uint32_t part) {
  const std::string previous = "previous_" + number(part), uneven = "uneven_" + number(part),
                    largest = "largest_" + number(part), before = "largest_before_" + number(part);
  open("if (sweep >= " + std::to_string(sweeps_free + block.patience.window) + ") {");
  line("const Mask lags = (" + uneven + " > 0.0) & negation(" + previous +
       " < 0.0) & sweeps_are_slow(" + largest + ", " + before + ", " +
       form_.constant(c_literal(block.patience.slowest)) + ");");
  open("if (any(lags)) {");
  line("Mask near;");
  add_scale(block);
  line("near = may_be_round_off(" + largest + ", scale, " + form_.constant(round_off_literal) +
       ");");
  line("slow = slow | (lags & negation(near));");
  line(previous + " = select(lags & near, " + form_.constant("-1.0") + ", " + previous + ");");
  close();
  close();
  line(before + " = " + largest + ";");
  line(largest + " = " + zero() + ";");
}

}  // namespace dalembert
