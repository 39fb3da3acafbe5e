// Places in which a test may kill the process or make it lie. Without PPDNMF_INJECTION, which one test executable
// defines, there is nothing here.
#ifndef PPDNMF_SITE_INTERNAL_INJECTION_H_
#define PPDNMF_SITE_INTERNAL_INJECTION_H_

#include <ppdnmf/member/participant.h>

namespace ppdnmf::site {

enum class SessionPoint {
  kStepped,   // the machine has moved, nothing is saved
  kSaved,     // on the disk, nothing has left
  kSending,   // before each message that leaves
  kKept,      // the results are written
  kFarewell,  // goodbyes are said, secrets are gone
};

#ifdef PPDNMF_INJECTION
void inject(SessionPoint point);
void inject(member::Post& post);  // may put something else into what leaves
#else
constexpr void inject(SessionPoint /*point*/) {}
inline void inject(member::Post& /*post*/) {}
#endif

}  // namespace ppdnmf::site

#endif  // PPDNMF_SITE_INTERNAL_INJECTION_H_
