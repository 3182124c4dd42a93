// SPDX-License-Identifier: MIT
#include "sim/isa/host_services.h"

namespace wavetwin::isa {

std::optional<HostService> host_service(std::string_view kind) {
  for (const HostService& service : kHostServices) {
    if (kind == service.kind) return service;
  }
  return std::nullopt;
}

}  // namespace wavetwin::isa
