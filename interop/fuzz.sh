#!/usr/bin/env bash
# Runs every fuzz target of the module for a given time each: interop/fuzz.sh 10s
set -eu
cd "$(dirname "$0")/.."
time=${1:-10s}
count=0
while IFS=: read -r file name; do
  pkg=./$(dirname "$file")
  echo "fuzz: $pkg $name"
  # The Go fuzzer sometimes reports its own deadline as a failure; a real finding leaves an input behind.
  if ! timeout 300 go test "$pkg" -run='^$' -fuzz="^$name\$" -fuzztime="$time" -fuzzminimizetime=10x -parallel=2 >/tmp/fuzz.$$ 2>&1; then
    if grep -q 'Failing input written' /tmp/fuzz.$$ || ! grep -q 'context deadline exceeded' /tmp/fuzz.$$; then
      cat /tmp/fuzz.$$; rm -f /tmp/fuzz.$$; exit 1
    fi
  fi
  count=$((count + 1))
done < <(grep -rHoE '^func Fuzz[A-Za-z0-9_]+' --include='*_test.go' . | sed -E 's#^\./##; s/:func /:/')
rm -f /tmp/fuzz.$$
echo "fuzz: $count targets, $time each, nothing found"
