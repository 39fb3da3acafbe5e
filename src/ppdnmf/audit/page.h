// audit.html: the table, curves and pictures.
#ifndef PPDNMF_AUDIT_PAGE_H_
#define PPDNMF_AUDIT_PAGE_H_

#include <filesystem>
#include <string>
#include <vector>

#include <ppdnmf/audit/pictures.h>
#include <ppdnmf/audit/table.h>
#include <ppdnmf/base/result.h>

namespace ppdnmf::audit {

// audit.json and audit.html; the pictures are inside the page. Returns notes: without gnuplot there are no curves, and
// the note says so. Fails with kFile if a file cannot be written.
[[nodiscard]] Result<std::vector<std::string>> write_audit(const std::filesystem::path& folder,
                                                           const AuditRecord& record,
                                                           const std::vector<FacePicture>& faces,
                                                           const std::string& gnuplot = "gnuplot");

}  // namespace ppdnmf::audit

#endif  // PPDNMF_AUDIT_PAGE_H_
