#!/usr/bin/env bash
# Has systemd verify the units of the package. Exit 77 where there is no systemd-analyze.
set -eu
cd "$(dirname "$0")/../.."
command -v systemd-analyze >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for unit in packaging/systemd/*.service packaging/systemd/*.timer; do
  sed "s#/usr/bin/tgmconv#${TGMCONV:-$PWD/bin/tgmconv}#; /^Documentation=man/d" "$unit" >"$work/$(basename "$unit")"
done
said=$(systemd-analyze verify "$work"/* 2>&1 | grep -F "$work" || true)
[ -z "$said" ] || { echo "$said"; exit 1; }
echo "units: $(ls "$work" | paste -sd ' ')"
