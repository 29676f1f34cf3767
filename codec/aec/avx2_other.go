//go:build !amd64

package aec

// vectors reports that there are no vector kernels, so that the functions here are never called.
const vectors = false

func mapSumsAVX2(*uint32, int, uint32, *assessment) bool { return false }

func unarySumAVX2(*uint32, int, uint) uint32 { return 0 }

func unmapAVX2(*uint32, int, uint32, uint32) int { return 0 }
