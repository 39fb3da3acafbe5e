"""A clock that goes wrong: what the program sees of the time of day while its library is loaded first."""

import os
import shutil
import subprocess

DAY = 86400
SOURCE = """
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
/* Seconds, from a file that may change while the process runs. */
static long offset(void) {
  char text[32] = {0};
  const int file = open(getenv("PPDNMF_CLOCK"), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
  close(file);
  return atol(text);
}
int clock_gettime(clockid_t clock, struct timespec* out) {
  const long failed = syscall(SYS_clock_gettime, clock, out);
  if (failed == 0 && clock == CLOCK_REALTIME) out->tv_sec += offset();
  return (int)failed;
}
time_t time(time_t* out) {  /* which OpenSSL asks */
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
"""


class WrongClock:
    def __init__(self, test):
        if os.environ.get("PPDNMF_SANITIZE"):
            test.skipTest("sanitizers want to be loaded before what changes the clock")
        source, self.library, self.file = (test.folder / name for name in ("clock.c", "clock.so", "clock"))
        source.write_text(SOURCE)
        subprocess.run([shutil.which("cc") or shutil.which("gcc"), "-shared", "-fPIC", "-o", self.library, source], check=True)
        self.set(0)

    def set(self, days):
        new = self.file.with_suffix(".new")
        new.write_text(str(days * DAY))
        new.replace(self.file)

    def environment(self):
        return {"LD_PRELOAD": str(self.library), "PPDNMF_CLOCK": str(self.file)}
