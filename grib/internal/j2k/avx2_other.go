//go:build !amd64

package j2k

// vectors reports that there are no vector kernels, so that the functions here are never called.
const vectors = false

func liftRowAVX2(line, l, h *int32, n int) {}

func liftColumnsAVX2(line, l, h *int32, stride, n int) {}

func putRowsAVX2(plane, values *int32, stride, n int) {}

func clampAVX2(dst *uint32, src *int32, n int, shift, largest int32) {}
