// Who we are and whom we trust, as gRPC takes it. The private key's text passes through gRPC's own strings, which are
// not wiped.
#ifndef PPDNMF_NET_INTERNAL_CREDENTIALS_H_
#define PPDNMF_NET_INTERNAL_CREDENTIALS_H_

#include <grpcpp/grpcpp.h>

#include <memory>
#include <optional>
#include <vector>

#include <ppdnmf/identity/private_identity.h>
#include <ppdnmf/net/transport.h>

namespace ppdnmf::net {

// For dialling `peer`: its certificate is trusted, and no other.
[[nodiscard]] std::shared_ptr<grpc::ChannelCredentials> dial_credentials(const identity::PrivateIdentity& self,
                                                                         const identity::PublicIdentity& peer);
// For listening: a certificate is demanded, and must be one of these.
[[nodiscard]] std::shared_ptr<grpc::ServerCredentials> listen_credentials(
    const identity::PrivateIdentity& self, const std::vector<const identity::PublicIdentity*>& trusted);

// The other side's certificate as DER, if there is exactly one.
[[nodiscard]] std::optional<Bytes> peer_certificate(const grpc::AuthContext& context);

// What both sides of a connection are set up with.
[[nodiscard]] grpc::ChannelArguments dial_arguments(const TransportTimes& times);
void set_listen_arguments(grpc::ServerBuilder& builder, const TransportTimes& times, std::size_t peers);

// The method for neighbours, and the one that answers with TransportConfig::about as the text of this status.
inline constexpr const char* kInquiry = "/ppdnmf.Agent/About";
inline constexpr auto kAbout = grpc::StatusCode::ALREADY_EXISTS;
inline constexpr const char* kMethod = "/ppdnmf.Agent/Exchange";
// What a listener says first when it has accepted a stream.
inline constexpr const char* kAnswer = "ppdnmf";

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_INTERNAL_CREDENTIALS_H_
