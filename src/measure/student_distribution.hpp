#pragma once
// Student's t. Only for the sources of this room.

namespace dalembert {

/// The probability that Student's t with so many degrees of freedom, at least 1, is less than t.
/// Source: [AbramowitzStegun1964], 26.7.3 and 26.7.4: a finite sum, even or odd. Accuracy: a few
/// units of round-off of 1, so that small probabilities have an absolute error of that size.
double student_distribution(double t, int degrees);

}  // namespace dalembert
