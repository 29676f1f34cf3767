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
go test -tags interop -count=1 -timeout 40m -v -skip '^TestFreeze' ./... >"$log" 2>&1 || failed+=("go test -tags interop")
grep -aE '^(ok|FAIL|---? FAIL|panic)' "$log" | grep -av 'no test files'
# What differs from the keys of ecCodes, key by key.
awk '/^ +keys_interop_test.go:/ {sub(/^ *[^ ]*/, "interop:"); print; on = 1; next} on && /^          [a-zA-Z]/ {print; next} {on = 0}' "$log" |
  cut -c1-200
# The reason of a skip is on the line before it.
while read -r line; do [ -n "$line" ] && skipped+=("$line"); done < <(awk '/^ *--- SKIP/ {print $3 ": " why} {why = $0}' "$log")
[ ${#failed[@]} -eq 0 ] || grep -aB2 -A20 -E '^ *--- FAIL' "$log" | head -200
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

for check in interop/*/check_*; do
  case "$check" in
    *.py) [ -x "$root/venv/bin/python" ] || { skipped+=("$check (python)"); continue; }
          run=(timeout 600 "$root/venv/bin/python" "$check") ;;
    *.sh) run=(timeout 1200 bash "$check") ;;
    *) continue ;;
  esac
  echo "interop: $check (${SECONDS}s)"
  errors=$(mktemp) # the C libraries say much about what is strange on purpose
  "${run[@]}" 2>"$errors"; rc=$?
  case $rc in 0) ;; 77) skipped+=("$check") ;; *) failed+=("$check"); tail -n 50 "$errors" ;; esac
  rm -f "$errors"
done
for s in "${skipped[@]}"; do echo "interop: skipped: $s"; done
if [ ${#failed[@]} -gt 0 ]; then for f in "${failed[@]}"; do echo "interop: FAILED: $f"; done; exit 1; fi
echo "interop: all that could run agrees"
