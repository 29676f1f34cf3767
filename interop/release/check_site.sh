#!/usr/bin/env bash
# Builds the documentation as a site, without network: links that lead nowhere fail it. Pages say their version, load
# nothing from other servers, and are found by the search of the site.
cd "$(dirname "$0")/../.." || exit 1
python=.interop/venvsite/bin/python
"$python" -m mkdocs --version >/dev/null 2>&1 || python=python3
"$python" -m mkdocs --version >/dev/null 2>&1 || { echo "mkdocs (.interop/venvsite) is not installed"; exit 77; }
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
NO_MKDOCS_2_WARNING=1 "$python" -m mkdocs build --quiet --strict --site-dir "$site" || exit 1
version=$(sed -n 's/^site_name: //p' mkdocs.yml)
while read -r page; do
  grep -qE "<title>(.* - )?$version</title>" "$page" || { echo "$page: the title does not say $version"; exit 1; }
  ! grep -E '<(script|link|img)[^>]* (src|href)="(https?:)?//' "$page" || { echo "$page loads something from another server"; exit 1; }
done < <(find "$site" -name '*.html')
if command -v node >/dev/null; then
  node -e '
    const [site] = process.argv.slice(1), lunr = require(site + "/search/lunr.js");
    const {docs} = JSON.parse(require("fs").readFileSync(site + "/search/search_index.json"));
    const index = lunr(function () { this.ref("location"); this.field("title", {boost: 10}); this.field("text"); docs.forEach(d => this.add(d)); });
    for (const [word, page] of [["contourf", "howto/draw/"], ["kubernetes", "howto/cluster/"], ["simple_packing", "exact/convert-grib/"]]) {
      const found = index.search(word).map(r => r.ref);
      if (!found.slice(0, 10).some(r => r.startsWith(page))) { console.log(`searching ${word} finds ${found.slice(0, 10)}, expected ${page}`); process.exit(1); }
    }' "$site" || exit 1
fi
echo "$(find "$site" -name index.html | wc -l) pages"
