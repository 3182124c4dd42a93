// SPDX-License-Identifier: MIT
// Rows of `check` as text a person reads, and as JSON lines a program reads.
#pragma once

#include <string>
#include <vector>

#include "golden/harness/check.h"

namespace wavetwin::golden {

// {case, backend, status, elements, hash, evidence, reason, seconds}, one line without its newline.
std::string row_json(const Row& row);

// The table with a summary below it. A backend that was skipped everywhere for one reason takes one line.
std::string table_text(const std::vector<Row>& rows);

// Left-aligned columns, two spaces apart; columns whose cells are all numbers are aligned right.
std::string aligned(const std::vector<std::vector<std::string>>& cells);

}  // namespace wavetwin::golden
