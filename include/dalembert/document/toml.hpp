#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "dalembert/document/node.hpp"

namespace dalembert::study {

/// Reads a TOML file. OutputError if it cannot be read, RequestError with line and column if it is
/// not TOML.
DocumentNode read_document(const std::filesystem::path& path);
/// Reads TOML text; `name` stands for the file in messages.
DocumentNode parse_document(std::string_view text, const std::string& name);
/// Applies an argument "key=value" of --set: the key is dotted, with numbers for entries of a list,
/// which a list of one entry does without; the value is TOML, or else text. Tables that are missing
/// are made. RequestError where the path leads through something that is no table.
void apply_setting(DocumentNode& document, const std::string& setting);
/// A value as --set reads it, with the place that is its source.
DocumentNode value_in_words(const std::string& text, const std::string& source);
/// Sets a key as `apply_setting` does, to a value that is read already and keeps its place in
/// complaints.
void set_value(DocumentNode& document, const std::string& key, const DocumentNode& value);
/// A text in quotes, as TOML has it.
std::string toml_text(const std::string& text);
/// The document as TOML text that reads back as the same values.
std::string to_toml(const DocumentNode& document);

}  // namespace dalembert::study
