// Names of the random streams under an agent's secret seed. What enters the numbers and what enters only ciphertexts
// have different names, so that encryption changes nothing in the result.
#ifndef PPDNMF_PROTOCOL_PURPOSES_H_
#define PPDNMF_PROTOCOL_PURPOSES_H_

#include <cstdint>

namespace ppdnmf::protocol {

enum StreamPurpose : std::uint8_t {
  // into the numbers
  kWeightStream = 1,    // by neighbour and round number
  kBlindingStream = 2,  // by neighbour and round
  kNoiseStream = 3,     // of private runs, by round number
  kStartStream = 4,     // this agent's X0
  kDropStream = 5,      // what stands for a row that this agent wants to go
  // into ciphertexts only
  kKeyStream = 16,        // the run's Paillier key
  kIdentityStream = 17,   // the X25519 identity of a simulated agent
  kOwnBaseStream = 19,    // h for this agent's key
  kPeerBaseStream = 20,   // h for a peer's key, by neighbour
  kQueryStream = 21,      // randomness of a query, by round
  kReplyStream = 22,      // randomness of a reply, by neighbour and round
  kEphemeralStream = 23,  // the run's X25519 key for masks
};

}  // namespace ppdnmf::protocol

#endif  // PPDNMF_PROTOCOL_PURPOSES_H_
