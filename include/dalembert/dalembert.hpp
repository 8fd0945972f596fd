#pragma once
/// \file
/// Headers of the core library for its users: systems, methods, runs. Problem files are read by the
/// study library; its header is dalembert/study.hpp. Other parts have headers of their own:
/// measurements (dalembert/measure), audits (dalembert/audit), ensembles
/// (dalembert/run/ensemble.hpp), steppers in other number types (dalembert/step/basic_stepper.hpp).

#include "dalembert/error.hpp"
#include "dalembert/mechanics/problem.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/energy/collocation.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "dalembert/method/in_chart.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/newmark.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/method/splitting/composition.hpp"
#include "dalembert/method/stage/spark.hpp"
#include "dalembert/method/variational.hpp"
#include "dalembert/method/velocity_dla.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/run/simulate.hpp"
#include "dalembert/sensitivity/lyapunov.hpp"
#include "dalembert/sensitivity/sensitivity.hpp"
#include "dalembert/version.hpp"
