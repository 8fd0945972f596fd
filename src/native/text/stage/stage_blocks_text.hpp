#pragma once
// The sweeps of a stage iteration in C: what StageLoop does in step/detail/stage_loop.hpp, wherever
// the stages lie.

#include <string>

#include "dalembert/step/step_program.hpp"
#include "native/text/number_form.hpp"
#include "native/text/statements.hpp"

namespace dalembert {

/// Blocks of stages, part by part. Whoever derives from it says where the numbers of stages lie,
/// and what is done with them.
class StageBlocksText {
 public:
  StageBlocksText(const StageBlocksText&) = delete;
  StageBlocksText& operator=(const StageBlocksText&) = delete;
  virtual ~StageBlocksText() = default;

 protected:
  /// `form`: of the numbers that tell how far sweeps are.
  StageBlocksText(const StepProgram& program, const TapeStages& stages, const NumberForm& form)
      : form_(form), program_(program), stages_(stages) {}

  void add_block(const TapeStages::Block& block);

  /// Section number k of the rates for all stages, and first that of the function for all nodes
  /// beside them.
  virtual void add_function(std::size_t k) = 0;
  virtual void add_rates(std::size_t k) = 0;
  /// The means that a part uses.
  virtual void add_means(std::uint32_t part) = 0;
  /// Takes the new rates of a part, and finds their largest change, `change`.
  virtual void add_take(std::uint32_t part) = 0;
  /// Moves the stages by the rates of a part.
  virtual void add_move(std::uint32_t part) = 0;
  /// Counts the sweep that begins, and those of a block.
  virtual void count_sweep() = 0;
  virtual void count_sweeps() = 0;

  std::string zero() const { return form_.constant("0.0"); }
  static std::string number(std::size_t value) { return std::to_string(value); }
  void line(const std::string& words) { add_line(text_, indentation_, words); }
  /// Once for every pack.
  void each(const std::string& words) { each(form_, words); }
  void each(const NumberForm& form, const std::string& words) {
    std::string one;
    add_line(one, indentation_, words);
    text_ += form.each(one);
  }
  /// What `write` adds to the text, in braces, once for every pack.
  template <class Write>
  void each_block(const NumberForm& form, Write write) {
    const std::string before = std::move(text_);
    text_.clear();
    open("{");
    write();
    close();
    text_ = before + form.each(text_);
  }
  void open(const std::string& words) {
    line(words);
    indentation_ += 2;
  }
  void close() {
    indentation_ -= 2;
    line("}");
  }
  template <class Visit>
  void for_each_component(std::uint32_t part, Visit visit) {
    for (std::uint32_t k = stages_.parts[part].begin; k < stages_.parts[part].end; ++k)
      visit(stages_.components[k]);
  }

  const NumberForm& form_;
  const StepProgram& program_;
  const TapeStages& stages_;
  std::string text_;
  int indentation_ = 4;

 private:
  void add_judgement(const TapeStages::Block& block, std::uint32_t part);
  void add_scale(const TapeStages::Block& block);
  void judge(const TapeStages::Block& block, std::uint32_t part);
  void end_window(const TapeStages::Block& block, std::uint32_t part);
};

}  // namespace dalembert
