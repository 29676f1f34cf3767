//go:build !amd64

package inflate

func adlerBatch(s1, s2 uint64, b []byte) (uint64, uint64) { return adlerWords(s1, s2, b) }
