// An agent's memory on disk, so that it may be killed at any moment.
//
// A folder (mode 0700) with the last two states, `state.0` and `state.1` (mode 0600 from their first byte), and `lock`.
// The state with an even number is in `state.0`. A save writes a new file, makes it durable, and only then gives it the
// name of the state before the last one, so that one whole state is there at every moment; a file that was torn all the
// same falls back to the other one. Not safe to share between threads.
#ifndef PPDNMF_JOURNAL_JOURNAL_H_
#define PPDNMF_JOURNAL_JOURNAL_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <ppdnmf/base/bytes.h>
#include <ppdnmf/base/result.h>
#include <ppdnmf/crypto/secret.h>
#include <ppdnmf/io/descriptor.h>
#include <ppdnmf/journal/record.h>

namespace ppdnmf::journal {

struct SavedState {
  std::uint64_t number = 0;  // of the save, from 1
  crypto::SecretBytes content;
  bool other_damaged = false;  // so that this may be the state before the last
};

class Journal {
 public:
  // Makes the folder if it is missing (its parent must be there), locks it for this process, removes what an
  // interrupted save left, and reads the last whole state. Fails with kFile if another process has the folder, somebody
  // besides its owner may read it, or no state in it is whole; with kUsage if its states belong to anything other than
  // `binding`. States longer than `max_bytes` are neither written nor read.
  [[nodiscard]] static Result<Journal> open(const std::filesystem::path& folder, const JournalBinding& binding,
                                            std::uint64_t max_bytes);

  // What open() found; nothing in a new folder, and nothing the second time.
  [[nodiscard]] std::optional<SavedState> take_saved() { return std::exchange(saved_, std::nullopt); }
  // The number of the last save; 0 before the first.
  [[nodiscard]] std::uint64_t number() const { return number_; }

  // On success the state is on the disk, under the next number, and what depends on it may be sent. Fails with kFile (a
  // full disk, for instance); then nothing may be sent, the states before are as they were, and the same call may be
  // repeated at any later time.
  [[nodiscard]] Status save(ByteSpan content);
  // The same, and the state before it is gone: for the end of a run, when secrets go. If only the second part fails,
  // the call may be repeated, too. What a file system keeps of removed files is not in our hands.
  [[nodiscard]] Status save_alone(ByteSpan content);

 private:
  Journal(std::string name, io::Descriptor folder, io::Descriptor lock, JournalBinding binding, std::uint64_t max_bytes)
      : name_(std::move(name)),
        folder_(std::move(folder)),
        lock_(std::move(lock)),
        binding_(std::move(binding)),
        max_bytes_(max_bytes) {}
  [[nodiscard]] Status load();
  [[nodiscard]] Result<std::optional<SavedState>> load_one(unsigned generation, bool& damaged) const;
  [[nodiscard]] bool write_new(std::uint64_t number, ByteSpan content) const;
  [[nodiscard]] tl::unexpected<Error> failure(const char* what) const;

  std::string name_;
  io::Descriptor folder_;
  io::Descriptor lock_;
  JournalBinding binding_;
  std::uint64_t max_bytes_;
  std::uint64_t number_ = 0;
  std::optional<SavedState> saved_;
};

}  // namespace ppdnmf::journal

#endif  // PPDNMF_JOURNAL_JOURNAL_H_
