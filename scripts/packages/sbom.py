"""What is in the packages, as SPDX 2.3: Debian's packages behind headers that were read, archives that were linked in and
libraries that are loaded, from the compiler's dependencies, the linker's map, the loader and dpkg's database."""
import json
import os
import re
import time

from staging import digest, run

GLIBC = re.compile(r"(linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|resolv)\.so)")


def loaded(binary):
    """Files that the loader takes for this program or module; the C library's apart from nothing."""
    found = re.findall(r"=> (/\S+) \(", run("ldd", binary))
    return sorted(set(found))


def bundled(binary):
    """Those that are not the C library's own."""
    return [path for path in loaded(binary) if not GLIBC.search(path)]


def archives(map_file):
    """Archives of which the linker took at least one member, but for the project's own."""
    head = map_file.read_text().split("Memory Configuration")[0]
    found = set(re.findall(r"^(/\S+\.a)\(", head, flags=re.M))
    return sorted(path for path in found if "/libppdnmf_" not in path and "/src/ppdnmf/" not in path)


def headers(build, mpi=False):
    """System headers that objects were made from, with or without those of the program for MPI alone; what tests and benchmarks of the same build
    read does not count."""
    found, counts = set(), False
    for line in run("ninja", "-C", build, "-t", "deps").splitlines():
        if not line.startswith(" "):
            counts = line.startswith(("src/", "apps/", "python/")) and "_test" not in line.split(":")[0]
            counts = counts and (mpi or not line.startswith(("src/ppdnmf/mpi/", "apps/ppdnmf_mpi/")))
        elif counts:
            found.add(os.path.normpath(os.path.join(build, line.strip())))  # ccache has written some of them as relative
    return sorted(path for path in found if path.startswith("/usr/"))


def owners(paths):
    """Debian's packages that these files belong to."""
    names, paths = set(), [p for path in paths for p in {path, path.removeprefix("/usr"), real(path)}]
    for i in range(0, len(paths), 500):
        out = run("sh", "-c", 'dpkg-query -S "$@" 2>/dev/null || true', "sh", *paths[i:i + 500])
        names |= {re.sub(r":\w+$", "", line.split(": ")[0].split(", ")[0]) for line in out.splitlines() if not line.startswith("diversion")}
    return sorted(names)


def real(path):
    return run("realpath", path).strip()


def debian_package(name):
    fields = run("dpkg-query", "-W", "-f", "${Version}\t${Architecture}\t${source:Package}\t${source:Version}\t${Homepage}", name)
    version, architecture, source, source_version, homepage = fields.split("\t")
    return {"SPDXID": f"SPDXRef-Debian-{re.sub('[^A-Za-z0-9.-]', '-', name)}", "name": name, "versionInfo": version,
            "supplier": "Organization: Debian", "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "homepage": homepage or "NOASSERTION", "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION",
            "copyrightText": "NOASSERTION", "sourceInfo": f"built from Debian's source {source} {source_version}",
            "licenseComments": f"/usr/share/doc/{name}/copyright",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": f"pkg:deb/debian/{name}@{version}?arch={architecture}".replace("+", "%2B")}]}


def artefact(path, version):
    return {"SPDXID": f"SPDXRef-{re.sub('[^A-Za-z0-9.-]', '-', path.name)}", "name": path.name, "versionInfo": version,
            "supplier": "NOASSERTION", "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "Apache-2.0",
            "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION",
            "checksums": [{"algorithm": "SHA256", "checksumValue": digest(path)}]}


def document(version, commit, seconds, parts):
    """parts: {path of a package: {kind of relationship: [names of Debian's packages]}}."""
    name = f"ppdnmf-{version}"
    packages, relationships = [artefact(path, version) for path in parts], []
    used = sorted({one for kinds in parts.values() for names in kinds.values() for one in names})
    packages += [debian_package(one) for one in used]
    ids = {one["name"]: one["SPDXID"] for one in packages}
    for path, kinds in parts.items():
        relationships.append({"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": ids[path.name]})
        for kind, names in kinds.items():
            for one in names:
                # What something was made from points the other way in SPDX.
                ends = (ids[one], ids[path.name]) if kind == "BUILD_DEPENDENCY_OF" else (ids[path.name], ids[one])
                relationships.append({"spdxElementId": ends[0], "relationshipType": kind, "relatedSpdxElement": ends[1]})
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{commit}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)), "creators": ["Tool: scripts/packages/sbom.py"]},
        "packages": packages, "relationships": relationships}, indent=1) + "\n"
