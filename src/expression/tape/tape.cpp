#include "dalembert/expression/tape/tape.hpp"

#include <algorithm>

#include "emitter.hpp"

namespace dalembert {

TapeWriter::TapeWriter(GraphPointer graph, const Vector& setup_inputs, const Vector& inputs)
    : emitter_(std::make_unique<Emitter>(std::move(graph), setup_inputs, inputs)) {}

TapeWriter::~TapeWriter() = default;

void TapeWriter::input(const Expr& symbol) { emitter_->add_input(symbol, false); }

void TapeWriter::define(const Expr& symbol, const Expr& value) { emitter_->define(symbol, value); }

void TapeWriter::loop(const std::vector<LoopGroup>& groups, const Vector& residual,
                      const Vector& stand_ins) {
  emitter_->loop(groups, residual, stand_ins);
}

void TapeWriter::begin_stages(const StageIteration& stages, const std::vector<StageBlock>& blocks) {
  emitter_->begin_stages(stages, blocks);
}

void TapeWriter::end_stages(bool has_fallback) { emitter_->end_stages(has_fallback); }

void TapeWriter::repeat(const std::vector<Vector>& outputs, const std::vector<Vector>& state) {
  emitter_->repeat(outputs, state);
}

Tape write_tape(const Vector& inputs, const Vector& outputs) {
  GraphPointer graph = common_graph({inputs, outputs});
  if (graph == nullptr) graph = std::make_shared<Graph>();
  return TapeWriter(std::move(graph), {}, inputs).finish(outputs);
}

Tape TapeWriter::finish(const Vector& outputs, const Vector& further) {
  return emitter_->finish(outputs, further);
}

std::size_t Tape::count(TapeOperation operation) const {
  return static_cast<std::size_t>(
      std::count_if(code.begin() + static_cast<std::ptrdiff_t>(setup_end), code.end(),
                    [operation](const Instruction& line) { return line.operation == operation; }));
}

}  // namespace dalembert
