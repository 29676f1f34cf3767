#!/usr/bin/env bash
# Checks the configuration of releases, and builds the binary of this machine as a snapshot of a release has it.
# goreleaser takes minutes to install and is not among the parts that are installed without being named.
cd "$(dirname "$0")/../.." || exit 1
goreleaser=.interop/go/bin/goreleaser
[ -x "$goreleaser" ] || goreleaser=$(command -v goreleaser) || { echo "goreleaser is not installed: interop/setup.sh goreleaser"; exit 77; }
git remote get-url origin >/dev/null 2>&1 || { echo "goreleaser needs a remote named origin, this clone has none"; exit 77; }
set -e
dist=$(mktemp -d)
trap 'rm -rf "$dist"' EXIT
export GOFLAGS=
"$goreleaser" check
{ cat .goreleaser.yaml; echo "dist: $dist/out"; } >"$dist/config.yaml"
"$goreleaser" build --snapshot --single-target --clean --config "$dist/config.yaml"
find "$dist/out" -type f -name tgmconv -exec {} --version \; | grep -E '^tgmconv .*[0-9a-f]{7}'
