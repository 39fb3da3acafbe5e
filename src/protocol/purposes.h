// Names of the random streams under an agent's secret seed. What enters the numbers and what enters only ciphertexts have
// different names, so that encryption changes nothing in the result.
#ifndef PPDNMF_PROTOCOL_PURPOSES_H_
#define PPDNMF_PROTOCOL_PURPOSES_H_

#include <cstdint>

namespace ppdnmf {

enum StreamPurpose : std::uint8_t {
  kWeightStream = 1,    // by neighbour and exchange number
  kBlindingStream = 2,  // by neighbour and round
};

}  // namespace ppdnmf

#endif  // PPDNMF_PROTOCOL_PURPOSES_H_
