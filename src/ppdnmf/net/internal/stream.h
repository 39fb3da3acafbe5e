// One stream with one peer, whichever side began it: reads frames while the consumer takes messages, writes what is
// queued, notices when nothing moves. The two sides (client_stream.h, server_stream.h) add how a stream begins and
// ends. The engine's lock guards it.
#ifndef PPDNMF_NET_INTERNAL_STREAM_H_
#define PPDNMF_NET_INTERNAL_STREAM_H_

#include <grpcpp/support/byte_buffer.h>

#include <memory>
#include <string>

#include <ppdnmf/net/internal/board.h>
#include <ppdnmf/net/internal/frames.h>
#include <ppdnmf/net/internal/operation.h>

namespace ppdnmf::net {

class Stream {
 public:
  Stream(Board& board, const TransportConfig& config);
  virtual ~Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  Stream(Stream&&) = delete;
  Stream& operator=(Stream&&) = delete;

  // Begins whatever can be begun: the next read, the next write.
  void pump();
  // Ends it because the peer, the consumer or a clock gave a reason. The board hears of it at once; gRPC's operations
  // come back later.
  void end(const std::string& why);
  // Ends it in order, so that what was written arrives: for the end of the process.
  void close();
  // Looks at the clock. Gives when to look again.
  [[nodiscard]] Clock::time_point tick(Clock::time_point now);
  // Nothing is under way any more: it can be destroyed.
  [[nodiscard]] bool over() const { return ended_ && idle(); }

  [[nodiscard]] std::size_t peer() const { return peer_; }
  [[nodiscard]] StreamNumber number() const { return number_; }  // the board's; 0: not open yet
  [[nodiscard]] bool opened() const { return number_ != 0; }
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] const std::string& why() const { return why_; }
  // Brought a message and was not ended from this side.
  [[nodiscard]] bool was_good() const { return brought_message_ && !ended_here_; }

 protected:
  // The stream is there, and the other side is this peer.
  void open(std::size_t peer);
  void set_peer(std::size_t peer) { peer_ = peer; }
  // The other side or the network ended it.
  void lost(const std::string& why);
  [[nodiscard]] bool writing() const { return write_.pending(); }
  [[nodiscard]] const TransportConfig& config() const { return config_; }
  [[nodiscard]] Board& board() { return board_; }

  virtual void start_read(grpc::ByteBuffer& into, void* tag) = 0;
  virtual void start_write(const grpc::ByteBuffer& frame, void* tag) = 0;
  // No more frames come, or the call is broken. The side says what becomes of the stream.
  virtual void read_ended() = 0;
  // Tells gRPC that we are done, with a reason for the other side.
  virtual void start_end(const std::string& why) = 0;
  virtual void start_close() = 0;  // no write is under way
  // A write that was under way when the stream ended has come back.
  virtual void last_write_done() {}
  virtual void cancel() = 0;
  [[nodiscard]] virtual bool idle() const { return !read_.pending() && !write_.pending(); }
  // While it is not open yet.
  [[nodiscard]] virtual Clock::time_point opening_deadline() const = 0;

 private:
  void finish(const std::string& why);
  void read_done(bool ok);
  void write_done(bool ok);
  void begin_write();
  void misbehaved(const std::string& why);
  [[nodiscard]] Clock::time_point reading_deadline() const;

  Board& board_;
  const TransportConfig& config_;
  std::size_t peer_ = 0;
  StreamNumber number_ = 0;

  Assembler assembler_;
  grpc::ByteBuffer incoming_;
  Operation read_;
  Clock::time_point progress_at_;  // of reading
  bool brought_message_ = false;

  std::shared_ptr<const Bytes> outgoing_;
  std::size_t written_ = 0;  // of it
  std::size_t being_written_ = 0;
  Operation write_;

  bool ended_ = false, ended_here_ = false, closing_ = false, cancelled_ = false;
  Clock::time_point ended_at_;
  std::string why_;
};

}  // namespace ppdnmf::net

#endif  // PPDNMF_NET_INTERNAL_STREAM_H_
