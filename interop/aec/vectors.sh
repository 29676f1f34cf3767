#!/usr/bin/env bash
# Writes codec/aec/testdata/libaec-1.1.txt.gz anew from the libaec in .interop/ (make interop-setup).
set -eu
cd "$(dirname "$0")/../.."
go test -tags interop -count 1 -run TestFreezeVectors -v ./codec/aec -args -freeze
