// Every problem of the library as text and back: the same tapes.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "dalembert/document/library.hpp"
#include "dalembert/error.hpp"
#include "dalembert/mechanics/serialise_system.hpp"
#include "dalembert/method/method.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/step/step_program.hpp"
#include "support/same_tape.hpp"

using namespace dalembert;
using namespace dalembert::study;
using namespace test_support;

namespace {

System problem(const std::string& name) {
  return make_system(read_problem_file(find_problem(name)));
}

/// An explicit method and one with stages; the first two that fit a system.
std::vector<Method> methods_for(const System& system) {
  std::vector<Method> methods;
  for (const char* name : {"dla", "lobatto", "gauss", "reduced-gradient"}) {
    Method method = make_method({name});
    if (methods.size() < 2 && !method.misfit(system)) methods.push_back(std::move(method));
  }
  return methods;
}

/// The text of a system with another word in the place of one of the same length, and the checksum
/// (FNV-1a) that belongs to it.
std::string forged(const System& system, const std::string& word, const std::string& other) {
  std::string text = serialise(system);
  for (std::size_t i = 0; (i = text.find(word, i)) != std::string::npos; i += other.size())
    text.replace(i, word.size(), other);
  text.resize(text.size() - 17);
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return text + fmt::format("{:016x}\n", hash);
}

}  // namespace

TEST_CASE("Every problem of the library survives as text, and compiles to the same tapes") {
  int compiled = 0;
  for (const std::string& name : problem_names()) {
    CAPTURE(name);
    const System before = problem(name);
    const std::string text = serialise(before);
    const System after = deserialise_system(text);
    CHECK(serialise(after) == text);
    CHECK(after.name() == before.name());
    CHECK(after.constraint_count() == before.constraint_count());
    CHECK(after.configuration().text() == before.configuration().text());
    CHECK(after.storage_count() == before.storage_count());
    CHECK(after.traits().lagrangian == before.traits().lagrangian);
    CHECK(after.traits().constraints == before.traits().constraints);
    CHECK(after.traits().forced == before.traits().forced);
    CHECK(after.traits().time_dependent == before.traits().time_dependent);
    CHECK(after.default_parameters() == before.default_parameters());
    if (before.dof() > 3) continue;  // larger tapes take long to write
    const std::vector<Method> methods = methods_for(before);
    REQUIRE(!methods.empty());
    ++compiled;
    for (const Method& method : methods) {
      CHECK_MESSAGE(same_tape(StepProgram::compile(after, method)->tape(),
                              StepProgram::compile(before, method)->tape()),
                    method.name());
    }
  }
  CHECK(compiled == 34);  // problems of up to three coordinates
}

TEST_CASE("A damaged system, and expressions that are no system, are refused") {
  const std::string text = serialise(problem("pendulum-cvt"));
  CHECK_THROWS_AS(deserialise_system(text.substr(0, text.size() / 2)), RequestError);
  CHECK_THROWS_AS(deserialise_system(""), RequestError);
  std::string changed = text;
  changed[text.size() / 2] ^= 1;
  CHECK_THROWS_AS(deserialise_system(changed), RequestError);
}

TEST_CASE("A name that no parser would have given is refused, whatever the checksum says") {
  const System system = problem("pendulum-cvt");
  CHECK_NOTHROW(deserialise_system(forged(system, "x1", "x7")));
  for (const char* name : {"*/", "x;", "x\n", "7x", "x ", "\xce\xb8"}) {
    CAPTURE(name);
    CHECK_THROWS_AS(deserialise_system(forged(system, "x1", name)), RequestError);
  }
  CHECK_THROWS_AS(deserialise_system(forged(system, "epsilon", "*/{1};/*")), RequestError);
}
