#!/usr/bin/env bash
# Runs the tests of the packages whose results must not depend on the machine as arm64 programs, under qemu.
command -v qemu-aarch64-static >/dev/null || exit 77
set -eu
export GOOS=linux GOARCH=arm64 CGO_ENABLED=0
exec go test -exec qemu-aarch64-static -short -timeout 60m ./codec/... ./grib/... ./tgm/... ./mars/...
