#!/usr/bin/env bash
# Builds the documentation as a site, without network: links that lead nowhere fail it.
cd "$(dirname "$0")/../.." || exit 1
mkdocs=.interop/venvsite/bin/mkdocs
[ -x "$mkdocs" ] || mkdocs=$(command -v mkdocs) || { echo "mkdocs (.interop/venvsite) is not installed"; exit 77; }
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
NO_MKDOCS_2_WARNING=1 "$mkdocs" build --quiet --strict --site-dir "$site" || exit 1
echo "$(find "$site" -name index.html | wc -l) pages"
