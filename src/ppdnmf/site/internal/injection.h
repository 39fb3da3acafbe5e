// Places in which a test may kill the process. Without PPDNMF_INJECTION, which one test executable defines, there is
// nothing here.
#ifndef PPDNMF_SITE_INTERNAL_INJECTION_H_
#define PPDNMF_SITE_INTERNAL_INJECTION_H_

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
#else
constexpr void inject(SessionPoint /*point*/) {}
#endif

}  // namespace ppdnmf::site

#endif  // PPDNMF_SITE_INTERNAL_INJECTION_H_
