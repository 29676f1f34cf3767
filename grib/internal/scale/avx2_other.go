//go:build !amd64

package scale

// vectors reports that there are no vector kernels, so that the functions here are never called.
const vectors = false

func packedAVX2(dst *float64, src *byte, n int, p *plan) {}

func uint32sAVX2(dst *float64, src *uint32, n int, s *Scale) {}
