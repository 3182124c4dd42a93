// SPDX-License-Identifier: MIT
// What a check of a buffer found, as a table.
#pragma once

#include "golden/layout/memory_convert.h"
#include "golden/layout/table.h"

namespace wavetwin::golden {

// Facts: how much is wrong, which lanes get wrong data, what it looks like, then the first wrong bytes.
TextTable check_report(const MemoryLayout& layout, const std::string& name, const MemoryCheck& check);
// The same where there is nothing to compare with: padding only, and the report says so.
TextTable structure_report(const MemoryLayout& layout, const std::string& name,
                           const std::vector<PaddingByte>& wrong);
// Whether either says that something is wrong.
bool is_wrong(const TextTable& report);

}  // namespace wavetwin::golden
