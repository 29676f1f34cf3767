package scale

import "golang.org/x/sys/cpu"

// vectors reports whether the kernels of avx2_amd64.s can be used.
var vectors = cpu.X86.HasAVX2

// packedAVX2 maps n integers, a positive multiple of 8, as the plan says. For each 8 it reads 16
// bytes at src and 16 bytes p.second further on, and goes on by p.step.
//
//go:noescape
func packedAVX2(dst *float64, src *byte, n int, p *plan)

// uint32sAVX2 is Uint32s for n integers, a positive multiple of 4.
//
//go:noescape
func uint32sAVX2(dst *float64, src *uint32, n int, s *Scale)
