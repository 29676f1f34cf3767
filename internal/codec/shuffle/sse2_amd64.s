#include "textflag.h"

// The functions of this file move squares of sixteen elements with SSE2, which every amd64 processor
// has. A round is a perfect shuffle of the bytes of all registers: the bytes of the first half and of
// the second half in turn. It rotates the address of a byte, in bits, by one place. The address of byte
// j of element i is (i, j) in an array and (j, i) in planes, so four rounds turn sixteen elements into
// planes, and as many rounds as j has bits undo that.

// ROUND2 leaves its result in t0, a0; a1 is free.
#define ROUND2(a0, a1, t0) \
	MOVO a0, t0; PUNPCKLBW a1, t0; PUNPCKHBW a1, a0

// ROUND4 leaves its result in t0, a0, t1, a1; a2 and a3 are free.
#define ROUND4(a0, a1, a2, a3, t0, t1) \
	MOVO a0, t0; PUNPCKLBW a2, t0; PUNPCKHBW a2, a0; \
	MOVO a1, t1; PUNPCKLBW a3, t1; PUNPCKHBW a3, a1

// ROUND8 leaves its result in t0, a0, t1, a1, t2, a2, t3, a3; a4 to a7 are free.
#define ROUND8(a0, a1, a2, a3, a4, a5, a6, a7, t0, t1, t2, t3) \
	ROUND4(a0, a1, a4, a5, t0, t1); \
	ROUND4(a2, a3, a6, a7, t2, t3)

// PLANES8 loads sixteen bytes of eight planes. SI and R10 are the first and the fifth plane, R8 the
// distance of planes and R9 three times that.
#define PLANES8 \
	MOVOU (SI), X0; MOVOU (SI)(R8*1), X1; MOVOU (SI)(R8*2), X2; MOVOU (SI)(R9*1), X3; \
	MOVOU (R10), X4; MOVOU (R10)(R8*1), X5; MOVOU (R10)(R8*2), X6; MOVOU (R10)(R9*1), X7

// JOIN8 makes elements of the planes in X0 to X7; they are in X10, X4, X2, X8, X11, X5, X3, X0.
#define JOIN8 \
	ROUND8(X0, X1, X2, X3, X4, X5, X6, X7, X8, X9, X10, X11); \
	ROUND8(X8, X0, X9, X1, X10, X2, X11, X3, X4, X5, X6, X7); \
	ROUND8(X4, X8, X5, X0, X6, X9, X7, X1, X10, X2, X11, X3)

// SPLIT8 makes planes of the elements in X0 to X7; they are in X6, X10, X9, X4, X7, X2, X1, X8.
#define SPLIT8 \
	JOIN8; \
	ROUND8(X10, X4, X2, X8, X11, X5, X3, X0, X6, X9, X7, X1)

// SWAPBITS exchanges bits of x that are s apart, where the mask m has the lower one of each pair.
#define SWAPBITS(x, t, s, m) \
	MOVO x, t; PSRLQ s, t; PXOR x, t; PAND m, t; PXOR t, x; PSLLQ s, t; PXOR t, x

// BITS transposes the bits of both words of x. X12 to X14 are the masks.
#define BITS(x, t) \
	SWAPBITS(x, t, $7, X12); SWAPBITS(x, t, $14, X13); SWAPBITS(x, t, $28, X14)

// MASKS loads the masks of BITS.
#define MASKS \
	MOVQ $0x00aa00aa00aa00aa, AX; MOVQ AX, X12; PUNPCKLQDQ X12, X12; \
	MOVQ $0x0000cccc0000cccc, AX; MOVQ AX, X13; PUNPCKLQDQ X13, X13; \
	MOVQ $0x00000000f0f0f0f0, AX; MOVQ AX, X14; PUNPCKLQDQ X14, X14

// func decode8SSE2(dst, src *byte, n, stride int)
TEXT ·decode8SSE2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ stride+24(FP), R8
	LEAQ (R8)(R8*2), R9
	LEAQ (SI)(R8*4), R10
	SHRQ $4, CX
loop:
	PLANES8
	JOIN8
	MOVOU X10, (DI)
	MOVOU X4, 16(DI)
	MOVOU X2, 32(DI)
	MOVOU X8, 48(DI)
	MOVOU X11, 64(DI)
	MOVOU X5, 80(DI)
	MOVOU X3, 96(DI)
	MOVOU X0, 112(DI)
	ADDQ $16, SI
	ADDQ $16, R10
	ADDQ $128, DI
	DECQ CX
	JNZ loop
	RET

// func encode8SSE2(dst, src *byte, n, stride int)
TEXT ·encode8SSE2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ stride+24(FP), R8
	LEAQ (R8)(R8*2), R9
	LEAQ (DI)(R8*4), R10
	SHRQ $4, CX
loop:
	MOVOU (SI), X0
	MOVOU 16(SI), X1
	MOVOU 32(SI), X2
	MOVOU 48(SI), X3
	MOVOU 64(SI), X4
	MOVOU 80(SI), X5
	MOVOU 96(SI), X6
	MOVOU 112(SI), X7
	SPLIT8
	MOVOU X6, (DI)
	MOVOU X10, (DI)(R8*1)
	MOVOU X9, (DI)(R8*2)
	MOVOU X4, (DI)(R9*1)
	MOVOU X7, (R10)
	MOVOU X2, (R10)(R8*1)
	MOVOU X1, (R10)(R8*2)
	MOVOU X8, (R10)(R9*1)
	ADDQ $128, SI
	ADDQ $16, R10
	ADDQ $16, DI
	DECQ CX
	JNZ loop
	RET

// func decode4SSE2(dst, src *byte, n, stride int)
TEXT ·decode4SSE2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ stride+24(FP), R8
	LEAQ (R8)(R8*2), R9
	SHRQ $4, CX
loop:
	MOVOU (SI), X0
	MOVOU (SI)(R8*1), X1
	MOVOU (SI)(R8*2), X2
	MOVOU (SI)(R9*1), X3
	ROUND4(X0, X1, X2, X3, X4, X5)
	ROUND4(X4, X0, X5, X1, X2, X3)
	MOVOU X2, (DI)
	MOVOU X4, 16(DI)
	MOVOU X3, 32(DI)
	MOVOU X0, 48(DI)
	ADDQ $16, SI
	ADDQ $64, DI
	DECQ CX
	JNZ loop
	RET

// func encode4SSE2(dst, src *byte, n, stride int)
TEXT ·encode4SSE2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ stride+24(FP), R8
	LEAQ (R8)(R8*2), R9
	SHRQ $4, CX
loop:
	MOVOU (SI), X0
	MOVOU 16(SI), X1
	MOVOU 32(SI), X2
	MOVOU 48(SI), X3
	ROUND4(X0, X1, X2, X3, X4, X5)
	ROUND4(X4, X0, X5, X1, X2, X3)
	ROUND4(X2, X4, X3, X0, X5, X1)
	ROUND4(X5, X2, X1, X4, X3, X0)
	MOVOU X3, (DI)
	MOVOU X5, (DI)(R8*1)
	MOVOU X0, (DI)(R8*2)
	MOVOU X2, (DI)(R9*1)
	ADDQ $64, SI
	ADDQ $16, DI
	DECQ CX
	JNZ loop
	RET

// func decode2SSE2(dst, src *byte, n, stride int)
TEXT ·decode2SSE2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ stride+24(FP), R8
	SHRQ $4, CX
loop:
	MOVOU (SI), X0
	MOVOU (SI)(R8*1), X1
	ROUND2(X0, X1, X2)
	MOVOU X2, (DI)
	MOVOU X0, 16(DI)
	ADDQ $16, SI
	ADDQ $32, DI
	DECQ CX
	JNZ loop
	RET

// func encode2SSE2(dst, src *byte, n, stride int)
TEXT ·encode2SSE2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ stride+24(FP), R8
	SHRQ $4, CX
loop:
	MOVOU (SI), X0
	MOVOU 16(SI), X1
	ROUND2(X0, X1, X2)
	ROUND2(X2, X0, X1)
	ROUND2(X1, X2, X0)
	ROUND2(X0, X1, X2)
	MOVOU X2, (DI)
	MOVOU X0, (DI)(R8*1)
	ADDQ $32, SI
	ADDQ $16, DI
	DECQ CX
	JNZ loop
	RET

// func joinBitsSSE2(plane, src *byte, n, row int)
TEXT ·joinBitsSSE2(SB), NOSPLIT, $0-32
	MOVQ plane+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ row+24(FP), R8
	LEAQ (R8)(R8*2), R9
	LEAQ (SI)(R8*4), R10
	MASKS
	SHRQ $7, CX
loop:
	PLANES8
	JOIN8
	BITS(X10, X1)
	BITS(X4, X6)
	BITS(X2, X7)
	BITS(X8, X9)
	BITS(X11, X1)
	BITS(X5, X6)
	BITS(X3, X7)
	BITS(X0, X9)
	MOVOU X10, (DI)
	MOVOU X4, 16(DI)
	MOVOU X2, 32(DI)
	MOVOU X8, 48(DI)
	MOVOU X11, 64(DI)
	MOVOU X5, 80(DI)
	MOVOU X3, 96(DI)
	MOVOU X0, 112(DI)
	ADDQ $16, SI
	ADDQ $16, R10
	ADDQ $128, DI
	DECQ CX
	JNZ loop
	RET

// func splitBitsSSE2(dst, plane *byte, n, row int)
TEXT ·splitBitsSSE2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ plane+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ row+24(FP), R8
	LEAQ (R8)(R8*2), R9
	LEAQ (DI)(R8*4), R10
	MASKS
	SHRQ $7, CX
loop:
	MOVOU (SI), X0
	MOVOU 16(SI), X1
	MOVOU 32(SI), X2
	MOVOU 48(SI), X3
	MOVOU 64(SI), X4
	MOVOU 80(SI), X5
	MOVOU 96(SI), X6
	MOVOU 112(SI), X7
	BITS(X0, X8)
	BITS(X1, X9)
	BITS(X2, X10)
	BITS(X3, X11)
	BITS(X4, X8)
	BITS(X5, X9)
	BITS(X6, X10)
	BITS(X7, X11)
	SPLIT8
	MOVOU X6, (DI)
	MOVOU X10, (DI)(R8*1)
	MOVOU X9, (DI)(R8*2)
	MOVOU X4, (DI)(R9*1)
	MOVOU X7, (R10)
	MOVOU X2, (R10)(R8*1)
	MOVOU X1, (R10)(R8*2)
	MOVOU X8, (R10)(R9*1)
	ADDQ $128, SI
	ADDQ $16, R10
	ADDQ $16, DI
	DECQ CX
	JNZ loop
	RET
