// For processes with secrets in their memory.
#ifndef PPDNMF_HOST_HIDDEN_MEMORY_H_
#define PPDNMF_HOST_HIDDEN_MEMORY_H_

namespace ppdnmf::host {

// From now on neither a core file nor a debugger of another process has this process's memory.
void hide_memory();

}  // namespace ppdnmf::host

#endif  // PPDNMF_HOST_HIDDEN_MEMORY_H_
