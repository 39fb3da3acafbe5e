#!/usr/bin/env bash
# Installs the Debian packages this project needs. Touches apt only when one of them is missing.
# usage: install_dependencies.sh [program|build|develop|package]
# program: to build and run the program; build: also the tests and Python; develop: also linters, fuzzers, benchmarks, a browser;
# package: build, and what makes packages and looks at them
set -euo pipefail

program_packages=(
  g++ cmake ninja-build pkg-config ccache
  libeigen3-dev libgmp-dev libssl-dev libfmt-dev libexpected-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libcpp-httplib-dev zlib1g-dev libhdf5-dev
  libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc  # the last two since gRPC's CMake package asks for their files
  gnuplot-nox
)
build_packages=(
  libmatio-dev libgtest-dev libgmock-dev libbenchmark-dev python3 python3-h5py valgrind
  libopenmpi-dev openmpi-bin
  python3-dev pybind11-dev python3-numpy python3-sklearn
  python3-pandas python3-pytest mypy python3-setuptools python3-wheel python3-pip python3-venv
  iproute2 openssl  # tests/system/relay_test.py: network namespaces, and a proxy that opens TLS
)
develop_packages=(clang clang-format clang-tidy git libclang-rt-14-dev libopenblas0-pthread python3-gmpy2
  python3-matplotlib python3-protobuf
  chromium chromium-driver)  # tests/system/browser_test.py, which skips without them
# The archives that the tarball's program is linked with come with packages above, but for these two.
package_packages=(dpkg-dev binutils git lintian debootstrap systemd-container libre2-dev libc-ares-dev)

wanted=("${program_packages[@]}")
case "${1:-build}" in
  program) ;;
  build) wanted+=("${build_packages[@]}") ;;
  develop) wanted+=("${build_packages[@]}" "${develop_packages[@]}") ;;
  package) wanted+=("${build_packages[@]}" "${package_packages[@]}") ;;
  *) echo "usage: $0 [program|build|develop|package]" >&2; exit 2 ;;
esac

missing=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi

echo "installing: ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "these packages are missing and need root: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
