# A thin face over the CMake presets. `make demo` and `make test` are all a newcomer needs.
JOBS ?= $(shell nproc)
# Some tests wait for clocks and sockets more than they compute.
TEST_JOBS ?= $(shell expr $(JOBS) + 2)
FUZZ_SECONDS ?= 60
.DEFAULT_GOAL := help
PYTHON ?= /usr/bin/python3
.PHONY: help deps-program deps deps-develop deps-package program build python wheel package bare test chaos demo bench asan tsan tidy fuzz format clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

deps-program:  ## install the Debian packages that the program needs, if any is missing
	@scripts/install_dependencies.sh program

deps:  ## the same, with what the tests and Python need
	@scripts/install_dependencies.sh build

deps-develop:  ## and with linters, fuzzers, a browser and what the benchmarks compare with
	@scripts/install_dependencies.sh develop

build: deps  ## build/ppdnmf and everything else, optimised
	@cmake --preset release $(QUIET) && cmake --build build -j $(JOBS)

test: build  ## every test
	@ctest --test-dir build -j $(TEST_JOBS) --output-on-failure

chaos: build  ## fifty kills and other faults over real agents' processes, twice
	@PPDNMF=build/ppdnmf PPDNMF_CHAOS_FAULTS=50 $(PYTHON) -B tests/system/chaos_test.py

python: deps  ## the Python package alone, importable from build/python
	@cmake --preset release $(QUIET) && cmake --build build -j $(JOBS) --target python

wheel: deps  ## out/wheel/ppdnmf-*.whl, without network
	@$(PYTHON) -m pip wheel . --no-build-isolation --no-deps --no-index --quiet --wheel-dir out/wheel

deps-package:
	@scripts/install_dependencies.sh package

package: deps-package  ## out/package: Debian packages, a tarball for any Linux, a wheel, SBOM and checksums
	@cmake --preset release $(QUIET) && cmake --build build -j $(JOBS) --target ppdnmf ppdnmf-mpi python portable
	@$(PYTHON) -B scripts/packages/make.py build out/package
	@lintian --fail-on error --tag-display-limit 0 out/package/*.deb

bare: package  ## installs out/package into bare Debian bases and uses it there; needs root
	@tests/packages/bare_debian.sh out/package out/bare

program: deps-program  ## build/ppdnmf alone
	@cmake --preset program $(QUIET) && cmake --build build -j $(JOBS) --target ppdnmf

demo: program  ## three made hospitals alone, together, pooled and private; ends with out/demo/report.html
	@build/ppdnmf demo --out out/demo --force

bench: deps-develop  ## the measurements that the documentation quotes
	@cmake --preset bench $(QUIET) && cmake --build build -j $(JOBS)
	@bench/run.sh

asan: deps  ## every test under the address and undefined-behaviour sanitizers
	@cmake --preset asan && cmake --build build-asan -j $(JOBS)
	@ctest --test-dir build-asan -j $(TEST_JOBS) --output-on-failure

tsan: deps  ## every test under the thread sanitizer
	@cmake --preset tsan && cmake --build build-tsan -j $(JOBS)
	@TSAN_OPTIONS=suppressions=$(CURDIR)/tests/tsan_suppressions.txt ctest --test-dir build-tsan -j $(JOBS) --output-on-failure

tidy: deps-develop  ## clang-tidy over every source file, and a link-time look for names with two meanings
	@cmake --preset odr && cmake --build build-odr -j $(JOBS) --target ppdnmf
	@cmake --preset tidy && cmake --build build-tidy --target generated && scripts/tidy.sh build-tidy $(JOBS)

fuzz: deps-develop  ## each fuzz target for FUZZ_SECONDS
	@cmake --preset fuzz && cmake --build build-fuzz -j $(JOBS)
	@scripts/fuzz.sh build-fuzz $(FUZZ_SECONDS)

format: deps-develop  ## clang-format in place
	@git ls-files '*.cc' '*.h' | xargs clang-format -i

clean:  ## remove everything that was built
	@rm -rf build build-*/ out
