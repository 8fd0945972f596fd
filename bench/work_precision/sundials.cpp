#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "equations.hpp"

namespace work_precision {
namespace {

constexpr long most_steps = 1'000'000;

/// std::runtime_error unless a function of SUNDIALS went well.
void expect_success(int flag) {
  if (flag < 0) throw std::runtime_error("SUNDIALS gave up");
}

/// The vector and the function that all integrators share, for some equations.
template <class Equations>
class Problem {
 public:
  Problem() {
    expect_success(SUNContext_Create(nullptr, &context_));
    y_ = N_VNew_Serial(Equations::size, context_);
    set_start();
  }
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;
  ~Problem() {
    N_VDestroy(y_);
    SUNContext_Free(&context_);
  }

  SUNContext context() const { return context_; }
  N_Vector y() const { return y_; }

  void set_start() {
    const auto start = Equations::start();
    std::ranges::copy(start, N_VGetArrayPointer(y_));
  }
  std::vector<double> positions() const {
    const double* y = N_VGetArrayPointer(y_);
    return {y, y + Equations::positions};
  }
  static int rate(double, N_Vector y, N_Vector f, void*) {
    Equations::rate(N_VGetArrayPointer(y), N_VGetArrayPointer(f));
    return 0;
  }

 private:
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr;
};

/// CVODE: Adams' methods with fixed-point iteration, or BDF with Newton's and dense matrices, whose
/// entries are difference quotients.
template <class Equations>
class MultistepSolver {
 public:
  MultistepSolver(int method, double tolerance) : memory_(CVodeCreate(method, problem_.context())) {
    expect_success(CVodeInit(memory_, &Problem<Equations>::rate, 0.0, problem_.y()));
    expect_success(CVodeSStolerances(memory_, tolerance, tolerance));
    expect_success(CVodeSetMaxNumSteps(memory_, most_steps));
    expect_success(CVodeSetStopTime(memory_, end_of(Equations::task)));
    if (method == CV_ADAMS) {
      iteration_ = SUNNonlinSol_FixedPoint(problem_.y(), 0, problem_.context());
      expect_success(CVodeSetNonlinearSolver(memory_, iteration_));
    } else {
      matrix_ = SUNDenseMatrix(Equations::size, Equations::size, problem_.context());
      linear_ = SUNLinSol_Dense(problem_.y(), matrix_, problem_.context());
      expect_success(CVodeSetLinearSolver(memory_, linear_, matrix_));
    }
  }
  MultistepSolver(const MultistepSolver&) = delete;
  MultistepSolver& operator=(const MultistepSolver&) = delete;
  ~MultistepSolver() {
    CVodeFree(&memory_);
    if (iteration_ != nullptr) SUNNonlinSolFree(iteration_);
    if (linear_ != nullptr) SUNLinSolFree(linear_);
    if (matrix_ != nullptr) SUNMatDestroy(matrix_);
  }

  std::vector<double> run() {
    double t = 0.0;
    const double end = end_of(Equations::task);
    problem_.set_start();
    expect_success(CVodeReInit(memory_, 0.0, problem_.y()));
    expect_success(CVodeSetStopTime(memory_, end));
    expect_success(CVode(memory_, end, problem_.y(), &t, CV_NORMAL));
    return problem_.positions();
  }

 private:
  Problem<Equations> problem_;
  void* memory_;
  SUNNonlinearSolver iteration_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  SUNMatrix matrix_ = nullptr;
};

/// ERKStep of ARKODE with its pair of order 8.
template <class Equations>
class ExplicitSolver {
 public:
  explicit ExplicitSolver(double tolerance)
      : memory_(ERKStepCreate(&Problem<Equations>::rate, 0.0, problem_.y(), problem_.context())) {
    expect_success(ERKStepSetOrder(memory_, 8));
    expect_success(ERKStepSStolerances(memory_, tolerance, tolerance));
    expect_success(ERKStepSetMaxNumSteps(memory_, most_steps));
  }
  ExplicitSolver(const ExplicitSolver&) = delete;
  ExplicitSolver& operator=(const ExplicitSolver&) = delete;
  ~ExplicitSolver() { ERKStepFree(&memory_); }

  std::vector<double> run() {
    double t = 0.0;
    const double end = end_of(Equations::task);
    problem_.set_start();
    expect_success(ERKStepReInit(memory_, &Problem<Equations>::rate, 0.0, problem_.y()));
    expect_success(ERKStepSetStopTime(memory_, end));
    expect_success(ERKStepEvolve(memory_, end, problem_.y(), &t, ARK_NORMAL));
    return problem_.positions();
  }

 private:
  Problem<Equations> problem_;
  void* memory_;
};

/// IDA on the equations with the multiplier as one more unknown, and the constraint differentiated
/// once, so that they have index 1; Newton's iteration as in MultistepSolver.
template <class Equations>
class ImplicitSolver {
 public:
  static constexpr std::size_t size = Equations::size + 1;

  explicit ImplicitSolver(double tolerance) {
    expect_success(SUNContext_Create(nullptr, &context_));
    y_ = N_VNew_Serial(size, context_);
    rate_ = N_VNew_Serial(size, context_);
    matrix_ = SUNDenseMatrix(size, size, context_);
    linear_ = SUNLinSol_Dense(y_, matrix_, context_);
    memory_ = IDACreate(context_);
    set_start();
    expect_success(IDAInit(memory_, &residual, 0.0, y_, rate_));
    expect_success(IDASStolerances(memory_, tolerance, tolerance));
    expect_success(IDASetMaxNumSteps(memory_, most_steps));
    expect_success(IDASetLinearSolver(memory_, linear_, matrix_));
    // The multiplier is as accurate as the accelerations, which are not tested either.
    is_differential_ = N_VNew_Serial(size, context_);
    N_VConst(1.0, is_differential_);
    N_VGetArrayPointer(is_differential_)[Equations::size] = 0.0;
    expect_success(IDASetId(memory_, is_differential_));
    expect_success(IDASetSuppressAlg(memory_, SUNTRUE));
  }
  ImplicitSolver(const ImplicitSolver&) = delete;
  ImplicitSolver& operator=(const ImplicitSolver&) = delete;
  ~ImplicitSolver() {
    IDAFree(&memory_);
    SUNLinSolFree(linear_);
    SUNMatDestroy(matrix_);
    N_VDestroy(is_differential_);
    N_VDestroy(rate_);
    N_VDestroy(y_);
    SUNContext_Free(&context_);
  }

  std::vector<double> run() {
    double t = 0.0;
    const double end = end_of(Equations::task);
    set_start();
    expect_success(IDAReInit(memory_, 0.0, y_, rate_));
    expect_success(IDASetStopTime(memory_, end));
    expect_success(IDASolve(memory_, end, &t, y_, rate_, IDA_NORMAL));
    const double* y = N_VGetArrayPointer(y_);
    return {y, y + Equations::positions};
  }

 private:
  static int residual(double, N_Vector y, N_Vector rate, N_Vector r, void*) {
    Equations::residual(N_VGetArrayPointer(y), N_VGetArrayPointer(rate), N_VGetArrayPointer(r));
    return 0;
  }
  /// A consistent one. The multiplier's rate is not in the equations.
  void set_start() {
    double *y = N_VGetArrayPointer(y_), *rate = N_VGetArrayPointer(rate_);
    const auto start = Equations::start();
    std::ranges::copy(start, y);
    Equations::rate(y, rate);
    y[Equations::size] = Equations::multiplier(y, rate);
    rate[Equations::size] = 0.0;
  }

  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr, rate_ = nullptr, is_differential_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  void* memory_ = nullptr;
};

/// Runs that share a solver, which is made once.
template <class Solver, class... Arguments>
Run run_of_solver(Arguments... arguments) {
  const auto solver = std::make_shared<Solver>(arguments...);
  return [solver] { return solver->run(); };
}

}  // namespace

std::vector<Entry> sundials_entries(Task task) {
  std::vector<Entry> entries = entries_of(task, "CVODE Adams", []<class E>(E, double tolerance) {
    return run_of_solver<MultistepSolver<E>>(CV_ADAMS, tolerance);
  });
  const std::vector<Entry> bdf = entries_of(task, "CVODE BDF", []<class E>(E, double tolerance) {
    return run_of_solver<MultistepSolver<E>>(CV_BDF, tolerance);
  });
  const std::vector<Entry> pairs = entries_of(
      task, "ARKODE ERKStep, order 8",
      []<class E>(E, double tolerance) { return run_of_solver<ExplicitSolver<E>>(tolerance); });
  const std::vector<Entry> with_multiplier = entries_of<true>(
      task, "IDA",
      []<class E>(E, double tolerance) { return run_of_solver<ImplicitSolver<E>>(tolerance); });
  entries.insert(entries.end(), bdf.begin(), bdf.end());
  entries.insert(entries.end(), with_multiplier.begin(), with_multiplier.end());
  entries.insert(entries.end(), pairs.begin(), pairs.end());
  return entries;
}

}  // namespace work_precision
