#!/bin/bash
# Checks the types of the viewer's TypeScript, which esbuild only removes.
cd "$(dirname "$0")/../.." || exit 1
tsc=${TSC:-.interop/node/node_modules/.bin/tsc}
[ -x "$tsc" ] || exit 77
"$tsc" --noEmit --strict --noUnusedLocals --noUnusedParameters --target es2022 --module esnext --moduleResolution bundler --lib es2023,dom,dom.iterable cmd/tgmconv/internal/site/viewer/src/main.ts && echo "the types of the viewer fit"
