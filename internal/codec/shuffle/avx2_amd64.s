#include "textflag.h"

// The functions of this file do what those of the same name in sse2_amd64.s do, on two squares at a
// time: one in the lower and one in the upper half of the registers, which no instruction mixes.

// ROUND4Y leaves its result in t0, a0, t1, a1; a2 and a3 are free.
#define ROUND4Y(a0, a1, a2, a3, t0, t1) \
	VPUNPCKLBW a2, a0, t0; VPUNPCKHBW a2, a0, a0; \
	VPUNPCKLBW a3, a1, t1; VPUNPCKHBW a3, a1, a1

// ROUND8Y leaves its result in t0, a0, t1, a1, t2, a2, t3, a3; a4 to a7 are free.
#define ROUND8Y(a0, a1, a2, a3, a4, a5, a6, a7, t0, t1, t2, t3) \
	ROUND4Y(a0, a1, a4, a5, t0, t1); \
	ROUND4Y(a2, a3, a6, a7, t2, t3)

// JOIN8Y makes elements of the planes in Y0 to Y7; they are in Y10, Y4, Y2, Y8, Y11, Y5, Y3, Y0.
#define JOIN8Y \
	ROUND8Y(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11); \
	ROUND8Y(Y8, Y0, Y9, Y1, Y10, Y2, Y11, Y3, Y4, Y5, Y6, Y7); \
	ROUND8Y(Y4, Y8, Y5, Y0, Y6, Y9, Y7, Y1, Y10, Y2, Y11, Y3)

// SPLIT8Y makes planes of the elements in Y0 to Y7; they are in Y6, Y10, Y9, Y4, Y7, Y2, Y1, Y8.
#define SPLIT8Y \
	JOIN8Y; \
	ROUND8Y(Y10, Y4, Y2, Y8, Y11, Y5, Y3, Y0, Y6, Y9, Y7, Y1)

// SWAPBITSY exchanges bits of x that are s apart, where the mask m has the lower one of each pair.
#define SWAPBITSY(x, t, s, m) \
	VPSRLQ s, x, t; VPXOR x, t, t; VPAND m, t, t; VPXOR t, x, x; VPSLLQ s, t, t; VPXOR t, x, x

// BITSY transposes the bits of the four words of x. Y12 to Y14 are the masks.
#define BITSY(x, t) \
	SWAPBITSY(x, t, $7, Y12); SWAPBITSY(x, t, $14, Y13); SWAPBITSY(x, t, $28, Y14)

// MASKSY loads the masks of BITSY.
#define MASKSY \
	MOVQ $0x00aa00aa00aa00aa, AX; MOVQ AX, X12; VPBROADCASTQ X12, Y12; \
	MOVQ $0x0000cccc0000cccc, AX; MOVQ AX, X13; VPBROADCASTQ X13, Y13; \
	MOVQ $0x00000000f0f0f0f0, AX; MOVQ AX, X14; VPBROADCASTQ X14, Y14

// PAIR loads both squares at an offset of SI.
#define PAIR(at, x, y) \
	VMOVDQU at(SI), x; VINSERTI128 $1, 128+at(SI), y, y

// UNPAIR stores both squares at an offset of DI.
#define UNPAIR(x, y, at) \
	VMOVDQU x, at(DI); VEXTRACTI128 $1, y, 128+at(DI)

// func joinBitsAVX2(plane, src *byte, n, row int)
TEXT ·joinBitsAVX2(SB), NOSPLIT, $0-32
	MOVQ plane+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ row+24(FP), R8
	LEAQ (R8)(R8*2), R9
	LEAQ (SI)(R8*4), R10
	MASKSY
	SHRQ $8, CX
loop:
	VMOVDQU (SI), Y0
	VMOVDQU (SI)(R8*1), Y1
	VMOVDQU (SI)(R8*2), Y2
	VMOVDQU (SI)(R9*1), Y3
	VMOVDQU (R10), Y4
	VMOVDQU (R10)(R8*1), Y5
	VMOVDQU (R10)(R8*2), Y6
	VMOVDQU (R10)(R9*1), Y7
	JOIN8Y
	BITSY(Y10, Y1)
	BITSY(Y4, Y6)
	BITSY(Y2, Y7)
	BITSY(Y8, Y9)
	BITSY(Y11, Y1)
	BITSY(Y5, Y6)
	BITSY(Y3, Y7)
	BITSY(Y0, Y9)
	UNPAIR(X10, Y10, 0)
	UNPAIR(X4, Y4, 16)
	UNPAIR(X2, Y2, 32)
	UNPAIR(X8, Y8, 48)
	UNPAIR(X11, Y11, 64)
	UNPAIR(X5, Y5, 80)
	UNPAIR(X3, Y3, 96)
	UNPAIR(X0, Y0, 112)
	ADDQ $32, SI
	ADDQ $32, R10
	ADDQ $256, DI
	DECQ CX
	JNZ loop
	VZEROUPPER
	RET

// func splitBitsAVX2(dst, plane *byte, n, row int)
TEXT ·splitBitsAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ plane+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ row+24(FP), R8
	LEAQ (R8)(R8*2), R9
	LEAQ (DI)(R8*4), R10
	MASKSY
	SHRQ $8, CX
loop:
	PAIR(0, X0, Y0)
	PAIR(16, X1, Y1)
	PAIR(32, X2, Y2)
	PAIR(48, X3, Y3)
	PAIR(64, X4, Y4)
	PAIR(80, X5, Y5)
	PAIR(96, X6, Y6)
	PAIR(112, X7, Y7)
	BITSY(Y0, Y8)
	BITSY(Y1, Y9)
	BITSY(Y2, Y10)
	BITSY(Y3, Y11)
	BITSY(Y4, Y8)
	BITSY(Y5, Y9)
	BITSY(Y6, Y10)
	BITSY(Y7, Y11)
	SPLIT8Y
	VMOVDQU Y6, (DI)
	VMOVDQU Y10, (DI)(R8*1)
	VMOVDQU Y9, (DI)(R8*2)
	VMOVDQU Y4, (DI)(R9*1)
	VMOVDQU Y7, (R10)
	VMOVDQU Y2, (R10)(R8*1)
	VMOVDQU Y1, (R10)(R8*2)
	VMOVDQU Y8, (R10)(R9*1)
	ADDQ $256, SI
	ADDQ $32, R10
	ADDQ $32, DI
	DECQ CX
	JNZ loop
	VZEROUPPER
	RET

// func decode8AVX2(dst, src *byte, n, stride int)
TEXT ·decode8AVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ stride+24(FP), R8
	LEAQ (R8)(R8*2), R9
	LEAQ (SI)(R8*4), R10
	SHRQ $5, CX
loop:
	VMOVDQU (SI), Y0
	VMOVDQU (SI)(R8*1), Y1
	VMOVDQU (SI)(R8*2), Y2
	VMOVDQU (SI)(R9*1), Y3
	VMOVDQU (R10), Y4
	VMOVDQU (R10)(R8*1), Y5
	VMOVDQU (R10)(R8*2), Y6
	VMOVDQU (R10)(R9*1), Y7
	JOIN8Y
	VINSERTI128 $1, X4, Y10, Y1
	VPERM2I128 $0x31, Y4, Y10, Y4
	VINSERTI128 $1, X8, Y2, Y6
	VPERM2I128 $0x31, Y8, Y2, Y8
	VINSERTI128 $1, X5, Y11, Y7
	VPERM2I128 $0x31, Y5, Y11, Y5
	VINSERTI128 $1, X0, Y3, Y9
	VPERM2I128 $0x31, Y0, Y3, Y0
	VMOVDQU Y1, (DI)
	VMOVDQU Y6, 32(DI)
	VMOVDQU Y7, 64(DI)
	VMOVDQU Y9, 96(DI)
	VMOVDQU Y4, 128(DI)
	VMOVDQU Y8, 160(DI)
	VMOVDQU Y5, 192(DI)
	VMOVDQU Y0, 224(DI)
	ADDQ $32, SI
	ADDQ $32, R10
	ADDQ $256, DI
	DECQ CX
	JNZ loop
	VZEROUPPER
	RET

// func encode8AVX2(dst, src *byte, n, stride int)
TEXT ·encode8AVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ stride+24(FP), R8
	LEAQ (R8)(R8*2), R9
	LEAQ (DI)(R8*4), R10
	SHRQ $5, CX
loop:
	PAIR(0, X0, Y0)
	PAIR(16, X1, Y1)
	PAIR(32, X2, Y2)
	PAIR(48, X3, Y3)
	PAIR(64, X4, Y4)
	PAIR(80, X5, Y5)
	PAIR(96, X6, Y6)
	PAIR(112, X7, Y7)
	SPLIT8Y
	VMOVDQU Y6, (DI)
	VMOVDQU Y10, (DI)(R8*1)
	VMOVDQU Y9, (DI)(R8*2)
	VMOVDQU Y4, (DI)(R9*1)
	VMOVDQU Y7, (R10)
	VMOVDQU Y2, (R10)(R8*1)
	VMOVDQU Y1, (R10)(R8*2)
	VMOVDQU Y8, (R10)(R9*1)
	ADDQ $256, SI
	ADDQ $32, R10
	ADDQ $32, DI
	DECQ CX
	JNZ loop
	VZEROUPPER
	RET
