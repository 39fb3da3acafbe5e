#!/usr/bin/env bash
# Runs one case under valgrind's memcheck. A leaking case passes if memcheck catches it.
# usage: run.sh CASE VALGRIND PROGRAM
set -uo pipefail
case=$1 valgrind=$2 program=$3
if ! command -v "$valgrind" >/dev/null; then
  echo "skipped: valgrind is not installed"
  exit 77
fi
caught=42
"$valgrind" --quiet --error-exitcode=$caught --undef-value-errors=yes "$program" "$case"
status=$?
case $case in
  leaking_*)
    [ $status -eq $caught ] && { echo "caught, as it must be"; exit 0; }
    echo "a deliberate leak was not caught (status $status)"
    exit 1
    ;;
  *) exit $status ;;
esac
