#!/usr/bin/env bash
# clang-tidy over every source file of the project; any finding fails. usage: tidy.sh BUILD_DIR JOBS
set -euo pipefail
build_dir=$1
jobs=$2
# A configuration that checks nothing must not pass for a clean one.
count=$(clang-tidy --list-checks -p "$build_dir" src/ppdnmf/base/error.cc | grep -c '^    ')
[ "$count" -gt 100 ] || { echo "only $count checks are active: .clang-tidy is not read" >&2; exit 1; }
git ls-files 'src/*.cc' 'apps/*.cc' 'python/*.cc' 'tests/*.cc' 'bench/*.cc' |
  { grep -vE '_fuzz\.cc$|tests/compile_fail/|tests/install/' || true; } |
  xargs -P "$jobs" -n 4 clang-tidy -p "$build_dir" --quiet 2> >(grep -v 'warnings generated\|Suppressed\|Use -header-filter' >&2)
echo "tidy: clean ($count checks)"
