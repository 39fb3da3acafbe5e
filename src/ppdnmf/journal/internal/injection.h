// Places in which a test may kill the process or make the disk fail. Without PPDNMF_INJECTION, which one test
// executable defines, there is nothing here.
#ifndef PPDNMF_JOURNAL_INTERNAL_INJECTION_H_
#define PPDNMF_JOURNAL_INTERNAL_INJECTION_H_

namespace ppdnmf::journal {

enum class JournalPoint {
  kOpened,        // the new file is there, empty
  kHalfWritten,   // without its content
  kWritten,       // whole, but perhaps not on the disk
  kSynced,        // on the disk, under its temporary name
  kRenamed,       // under its name, which is perhaps not on the disk
  kFolderSynced,  // all of it is
};

#ifdef PPDNMF_INJECTION
// Called when the point is reached. 0: go on; otherwise the step fails with this errno.
int inject(JournalPoint point);
#else
constexpr int inject(JournalPoint /*point*/) { return 0; }
#endif

}  // namespace ppdnmf::journal

#endif  // PPDNMF_JOURNAL_INTERNAL_INJECTION_H_
