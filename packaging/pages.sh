#!/usr/bin/env bash
# Writes the manual pages and the completions of shells to bin/pages/, for the packages of a release.
set -eu
cd "$(dirname "$0")/.."
pages=bin/pages
rm -rf "$pages"
mkdir -p "$pages/man" "$pages/completions" "$pages/sbom"
export CGO_ENABLED=0 SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
go build -tags man -o bin/tgmconv-man ./cmd/tgmconv
bin/tgmconv-man man "$pages/man"
gzip -9 -n "$pages"/man/*.1
for shell in bash zsh fish powershell; do
  bin/tgmconv-man completion "$shell" >"$pages/completions/tgmconv.$shell"
done
rm -f bin/tgmconv-man
echo "$(ls "$pages/man" | wc -l) manual pages, $(ls "$pages/completions" | wc -l) completions in $pages"
