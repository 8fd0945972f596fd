#pragma once
/// \file
/// The core library and, from the study library (dalembert::study), problems from files.

#include "dalembert/control/optimal_control.hpp"
#include "dalembert/dalembert.hpp"
#include "dalembert/linearisation/linearise.hpp"
#include "dalembert/linearisation/stability_changes.hpp"
#include "dalembert/problem/load_problem.hpp"
