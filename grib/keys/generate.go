package keys

//go:generate go run ./internal/gen -memfs ../../.interop/venv/lib/python3*/site-packages/eccodeslib/lib64/libeccodes_memfs.so
