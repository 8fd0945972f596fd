#pragma once
// Eigen under a name of the library's own. Its functions are templates, of which a linker keeps one
// copy of several: that of a program which uses Eigen, too, is compiled with other options, for
// other alignments and instructions.

#ifdef EIGEN_CORE_H
#error "Eigen stands here under its own name already"
#endif
#define Eigen dalembert_eigen

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
