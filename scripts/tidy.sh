#!/usr/bin/env bash
# clang-tidy over every source file of the project; any finding fails. usage: tidy.sh BUILD_DIR JOBS
# Most of its time goes into headers, so it reads the sources as they are compiled: several of a room at a time.
set -euo pipefail
build_dir=$1
jobs=$2
# A configuration that checks nothing must not pass for a clean one.
count=$(clang-tidy --list-checks -p "$build_dir" src/ppdnmf/base/error.cc | grep -c '^    ')
[ "$count" -gt 100 ] || { echo "only $count checks are active: .clang-tidy is not read" >&2; exit 1; }
python3 scripts/tidy_sources.py "$build_dir" |
  xargs -P "$jobs" -n 1 clang-tidy -p "$build_dir" --quiet --checks=-bugprone-suspicious-include \
    2> >(grep -v 'warnings generated\|Suppressed\|Use -header-filter' >&2)
echo "tidy: clean ($count checks)"
