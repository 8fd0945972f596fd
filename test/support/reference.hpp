#pragma once
// The reference solutions in test/reference/*.json: problems, methods and states in 25 digits.

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "dalembert/method/method.hpp"
#include "support/group_text.hpp"
#include "support/text_system.hpp"

namespace test_support {

using Json = nlohmann::json;

inline Json reference_file(const std::string& name) {
  std::ifstream file(DALEMBERT_SOURCE_DATA_DIR "/test/reference/" + name);
  if (!file) throw std::runtime_error("cannot read test/reference/" + name);
  return Json::parse(file);
}

/// A problem of problems.json, with all its parameters.
inline dalembert::System reference_system(const std::string& name) {
  static const Json problems = reference_file("problems.json");
  const Json& entry = problems.at(name);
  TextSystem text;
  text.name = name;
  text.coordinates = entry.at("coordinates").get<std::vector<std::string>>();
  if (entry.contains("expression")) {
    text.lagrangian = entry.at("expression");
  } else {
    text.kinetic = entry.at("kinetic");
    text.potential = entry.at("potential");
  }
  text.constraints = entry.at("constraints").get<std::vector<std::string>>();
  for (const char* key : {"holonomic", "force"}) {
    if (!entry.contains(key)) continue;
    (std::string(key) == "force" ? text.force : text.holonomic) =
        entry.at(key).get<std::vector<std::string>>();
  }
  for (const auto& [parameter, value] : entry.at("parameters").items())
    text.parameters.emplace_back(parameter, value.get<double>());
  if (entry.contains("frame"))
    text.frame = entry.at("frame").get<std::vector<std::vector<std::string>>>();
  return on_groups(text) ? define_on_groups(text) : define(text);
}

/// A method of a case, in the options of the registry.
inline dalembert::MethodSpec reference_method(const Json& method) {
  dalembert::MethodSpec spec;
  for (const auto& [key, value] : method.items()) {
    if (key == "name") {
      spec.name = value;
    } else if (key == "redefine_nodes") {
      spec.options["nodes"] = std::string(value.get<bool>() ? "redefined" : "original");
    } else if (value.is_object()) {
      spec.options[key] = std::make_shared<const dalembert::MethodSpec>(reference_method(value));
    } else if (value.is_string()) {
      spec.options[key] = value.get<std::string>();
    } else {
      spec.options[key] = value.get<double>();
    }
  }
  return spec;
}

/// One case: everything that is an input is exactly the double written.
struct ReferenceCase {
  std::string problem;
  std::vector<double> parameters;
  dalembert::MethodSpec method;
  double step = 0.0;
  std::uint64_t steps = 0;
  std::vector<double> q, v, lambda, final_q, final_v, final_lambda;
  double amplification[3] = {};  ///< of q, v, lambda; see test/reference/generate.py
};

inline std::vector<double> numbers(const Json& texts) {
  std::vector<double> values;
  for (const Json& text : texts) values.push_back(std::stod(text.get<std::string>()));
  return values;
}

inline ReferenceCase reference_case(const Json& json, const dalembert::System& system) {
  ReferenceCase result;
  result.problem = json.at("problem");
  for (const auto& parameter : system.description().parameters)
    result.parameters.push_back(
        std::stod(json.at("parameters").at(parameter.name).get<std::string>()));
  result.method = reference_method(json.at("method"));
  result.step = std::stod(json.at("step").get<std::string>());
  result.steps = json.at("steps");
  result.q = numbers(json.at("initial").at("q"));
  result.v = numbers(json.at("initial").at("v"));
  result.lambda = numbers(json.at("initial").at("lambda"));
  result.final_q = numbers(json.at("final").at("q"));
  result.final_v = numbers(json.at("final").at("v"));
  result.final_lambda = numbers(json.at("final").at("lambda"));
  for (int i = 0; i < 3; ++i) result.amplification[i] = json.at("amplification").at(i);
  return result;
}

}  // namespace test_support
