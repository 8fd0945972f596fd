#pragma once
// The table [sweep] of a study. Only for the sources of this library.

#include <functional>
#include <vector>

#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Takes the table out of a document: the keys that it varies, none where there is no such table.
/// RequestError for a key without values, or one that cannot be varied.
std::vector<SweptKey> take_swept_keys(DocumentNode& document);

/// Whether the equations of two runs differ, or what is measured of them, where the key does.
bool changes_equations(const std::string& key);

/// Reads a study for every choice of values, into `variants` of the first, the last key varying
/// fastest. `read` may put into the document what it has chosen, which the others then have, too.
Study read_variants(DocumentNode& document, std::vector<SweptKey> keys,
                    const std::function<Study(DocumentNode& document)>& read);

/// The table again, for the text of a study.
TableEntry sweep_table(const std::vector<SweptKey>& keys);

}  // namespace dalembert::study
