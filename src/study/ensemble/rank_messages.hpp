#pragma once
// What ranks tell each other of an ensemble, as bytes. Only for the sources of this room.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/ensemble/member_starts.hpp"

namespace dalembert::study {

using Message = std::vector<std::byte>;

/// Puts numbers, lists and texts one after the other.
class MessageWriter {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(&value, sizeof value);
  }
  template <class T>
  void put_all(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(static_cast<std::uint64_t>(values.size()));
    append(values.data(), values.size_bytes());
  }
  void put_text(const std::string& text) { put_all(std::span<const char>(text)); }

  Message take() { return std::move(bytes_); }

 private:
  void append(const void* data, std::size_t size) {
    const auto* begin = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }

  Message bytes_;
};

/// Takes them back in the same order; an assertion where a message is shorter.
class MessageReader {
 public:
  explicit MessageReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    take(&value, sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> get_all() {
    std::vector<T> values(get<std::uint64_t>());
    take(values.data(), values.size() * sizeof(T));
    return values;
  }
  std::string get_text() {
    const std::vector<char> text = get_all<char>();
    return {text.begin(), text.end()};
  }

 private:
  void take(void* to, std::size_t size);

  std::span<const std::byte> rest_;
};

/// The records from some on, with moments of the members, and growth errors likewise.
void put_records(MessageWriter& message, const EnsembleResult& result, std::size_t from_record,
                 std::size_t from_growth);
EnsembleResult get_records(MessageReader& message);

void put_state(MessageWriter& message, const EnsembleState& state);
EnsembleState get_state(MessageReader& message, const std::shared_ptr<const StepProgram>& program);

void put_starts(MessageWriter& message, const MemberStarts& starts);
/// Puts those of the next members behind.
void append_starts(MessageReader& message, MemberStarts& starts);

}  // namespace dalembert::study
