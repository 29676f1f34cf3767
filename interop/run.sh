#!/usr/bin/env bash
# Compares tgmconv with the outside programs that interop/setup.sh installed: the Go tests tagged `interop`, then
# every check_* script of the folders here. A part that is not installed is named as skipped.
set -u
cd "$(dirname "$0")/.."
root=$PWD/.interop
failed=() skipped=()
if [ -s "$root/missing" ]; then while read -r part; do [ -n "$part" ] && skipped+=("$part (not installed)"); done <"$root/missing"; fi
[ -d "$root" ] || { echo "interop: nothing is installed; run make interop-setup"; exit 1; }

log=$(mktemp)
# Only the tests that need the outside programs: `make test` runs the others.
tagged=$(grep -rl --include='*_test.go' '^//go:build interop' .)
tests=$(grep -hoE '^func Test[A-Za-z0-9_]+' $tagged | sed 's/func //' | sort -u | paste -sd '|')
go test -tags interop -count=1 -timeout 20m -v -run "^($tests)\$" -skip '^TestFreeze' $(dirname $tagged | sort -u) >"$log" 2>&1 ||
  failed+=("go test -tags interop")
grep -aE '^(ok|FAIL|---? FAIL|panic)' "$log" | grep -av 'no test files'
# Differences from the keys of ecCodes, key by key.
awk '/^ +keys_interop_test.go:/ {sub(/^ *[^ ]*/, "interop:"); print; on = 1; next} on && /^          [a-zA-Z]/ {print; next} {on = 0}' "$log" |
  cut -c1-200
# The reason of a skip is on the line before it.
while read -r line; do [ -n "$line" ] && skipped+=("$line"); done < <(awk '/^ *--- SKIP/ {print $3 ": " why} {why = $0}' "$log")
# The output of a failed test, with the results of its parts: the last 100 lines.
[ ${#failed[@]} -eq 0 ] || awk '
  /^=== RUN +[^\/]*$/ {if (bad) show(); n = bad = 0}
  {said[n++] = $0}
  /^--- FAIL|^panic:|^fatal error:/ {bad = 1}
  /^(ok|FAIL)\t/ {if (bad) show(); n = bad = 0}
  function show(  i) {for (i = n > 100 ? n - 100 : 0; i < n; i++) print substr(said[i], 1, 500)}
' "$log"
rm -f "$log"

# The netCDF C library through cgo, where it is installed.
if pkg-config --exists netcdf 2>/dev/null && command -v "${CC:-gcc}" >/dev/null; then
  echo "interop: go test -tags libnetcdf"
  log=$(mktemp)
  if CGO_ENABLED=1 go test -tags libnetcdf -count=1 -run TestSecondOpinion -v ./netcdf >"$log" 2>/dev/null; then
    grep -aE 'libnetcdf_test.go.*(libnetcdf |are equal)' "$log"
  else
    failed+=("go test -tags libnetcdf")
    grep -aE '^ *(--- FAIL|libnetcdf_test.go)' "$log" | head -50
  fi
  rm -f "$log"
else
  skipped+=("go test -tags libnetcdf (a C compiler and libnetcdf-dev)")
fi

# check runs one script and prints its output as one block. Its exit status goes to a file: 77 means that
# a program is missing.
check() {
  local name=$1 start=$SECONDS run out rc
  case "$name" in
    *.py) if [ -x "$root/venv/bin/python" ]; then run=(timeout 900 "$root/venv/bin/python" "$name"); else run=(exit 77); fi ;;
    *.sh) run=(timeout 900 bash "$name") ;;
  esac
  out=$(mktemp)
  ("${run[@]}") >"$out" 2>"$out.errors" # the C libraries print much about files that are strange on purpose
  rc=$?
  { echo "interop: $name ($((SECONDS - start)) s)"; cat "$out"; case $rc in 0|77) ;; *) tail -n 50 "$out.errors" ;; esac; } >"$out.all"
  cat "$out.all"
  echo "$rc $name" >>"$results"
  rm -f "$out" "$out.errors" "$out.all"
}
results=$(mktemp)
export -f check; export root results
# Those of other machines take longest and go first: nothing runs beside the last one.
printf '%s\n' interop/machines/check_* interop/*/check_* | awk '!seen[$0]++' | xargs -n 1 -P 2 bash -c 'check "$0"'
while read -r rc name; do
  case $rc in 0) ;; 77) skipped+=("$name") ;; *) failed+=("$name (exit $rc)") ;; esac
done < <(sort -k 2 "$results")
rm -f "$results"
for s in "${skipped[@]}"; do echo "interop: skipped: $s"; done
if [ ${#failed[@]} -gt 0 ]; then for f in "${failed[@]}"; do echo "interop: FAILED: $f"; done; exit 1; fi
echo "interop: all that could run agrees"
