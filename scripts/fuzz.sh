#!/usr/bin/env bash
# Runs each fuzz target from its seed corpus; a finding fails. usage: fuzz.sh BUILD_DIR SECONDS [TARGET...]
set -euo pipefail
build_dir=$1
seconds=$2
shift 2
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  for program in "$build_dir"/fuzz_*; do [ -x "$program" ] && [ -f "$program" ] && targets+=("${program##*/fuzz_}"); done
fi
for target in "${targets[@]}"; do
  work=$build_dir/corpus/$target
  mkdir -p "$work"
  seeds=()
  [ -d "tests/fuzz/corpus/$target" ] && seeds=("tests/fuzz/corpus/$target")
  echo "== $target: $seconds s"
  "$build_dir/fuzz_$target" -max_total_time="$seconds" -max_len=65536 -rss_limit_mb=1024 -timeout=10 -print_final_stats=1 \
    -artifact_prefix="$build_dir/$target-" "$work" "${seeds[@]}" 2>"$build_dir/$target.log" ||
    { tail -40 "$build_dir/$target.log"; echo "fuzz: $target FAILED"; exit 1; }
  grep -E 'stat::number_of_executed_units' "$build_dir/$target.log"
done
echo "fuzz: clean (${targets[*]})"
