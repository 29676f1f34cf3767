#!/usr/bin/env bash
# Runs every fuzz target of the module for a given time each, two at a time: interop/fuzz.sh 10s
set -eu
cd "$(dirname "$0")/.."
export time=${1:-10s}

# target fuzzes one function (FILE:NAME). The Go fuzzer sometimes reports its own deadline as a failure; a real
# finding leaves an input in testdata/fuzz.
target() {
  local pkg name log
  pkg=./$(dirname "${1%%:*}") name=${1##*:} log=$(mktemp)
  echo "fuzz: $pkg $name"
  if ! timeout 300 go test "$pkg" -run='^$' -fuzz="^$name\$" -fuzztime="$time" -fuzzminimizetime=10x -parallel=1 >"$log" 2>&1; then
    if grep -q 'Failing input written' "$log" || ! grep -q 'context deadline exceeded' "$log"; then
      { echo "fuzz: $pkg $name: FAILED"; cat "$log"; rm -f "$log"; } >&2
      return 1
    fi
  fi
  rm -f "$log"
}
export -f target
targets=$(grep -rHoE '^func Fuzz[A-Za-z0-9_]+' --include='*_test.go' . | sed -E 's#^\./##; s/:func /:/')
xargs -n 1 -P 2 bash -c 'target "$0" || exit 1' <<<"$targets"
echo "fuzz: $(wc -l <<<"$targets") targets, $time each, nothing found"
