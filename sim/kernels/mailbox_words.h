// SPDX-License-Identifier: MIT
// Posting, publishing and polling between 256 workgroups; twin of hip/kernels/mailbox_words.hip.
#pragma once

#include "common/kernels/mailbox_words.h"
#include "sim/core/wave_task.h"

namespace wavetwin {

WaveTask primitives_mailbox(Wave& wave, MailboxArgs args);

}  // namespace wavetwin
