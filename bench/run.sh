#!/usr/bin/env bash
# Runs every benchmark program of build/ and prints what the documentation quotes. usage: bench/run.sh [PROGRAM...]
set -euo pipefail
cd "$(dirname "$0")/.."
programs=("$@")
if [ ${#programs[@]} -eq 0 ]; then
  programs=(crypto_bench)
fi
for program in "${programs[@]}"; do
  echo "== $program"
  "build/$program"
done
