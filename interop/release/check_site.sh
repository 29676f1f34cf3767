#!/usr/bin/env bash
# Builds the documentation as a site, without network: links that lead nowhere fail it.
cd "$(dirname "$0")/../.." || exit 1
python=.interop/venvsite/bin/python
"$python" -m mkdocs --version >/dev/null 2>&1 || python=python3
"$python" -m mkdocs --version >/dev/null 2>&1 || { echo "mkdocs (.interop/venvsite) is not installed"; exit 77; }
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
NO_MKDOCS_2_WARNING=1 "$python" -m mkdocs build --quiet --strict --site-dir "$site" || exit 1
echo "$(find "$site" -name index.html | wc -l) pages"
