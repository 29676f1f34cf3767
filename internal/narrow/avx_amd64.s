#include "textflag.h"

// func narrowAVX(dst, src unsafe.Pointer, n int)
//
// Eight numbers are read before they are written, which may be at the same place.
TEXT ·narrowAVX(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX

loop:
	VCVTPD2PSY (SI), X0
	VCVTPD2PSY 32(SI), X1
	VMOVUPS    X0, (DI)
	VMOVUPS    X1, 16(DI)
	ADDQ       $64, SI
	ADDQ       $32, DI
	SUBQ       $8, CX
	JNZ        loop
	VZEROUPPER
	RET
