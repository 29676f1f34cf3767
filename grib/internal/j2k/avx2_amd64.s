#include "textflag.h"

// EVEN sets e to l - (a+b+2)>>2, where l is in memory. Y15 has the 2. a and b stay as they are.
#define EVEN(l, a, b, e) \
	VPADDD a, b, e     \
	VPADDD Y15, e, e   \
	VPSRAD $2, e, e    \
	VMOVDQU l, Y14     \
	VPSUBD e, Y14, e

// ODD sets o to h + (a+b)>>1.
#define ODD(h, a, b, o) \
	VPADDD a, b, o   \
	VPSRAD $1, o, o  \
	VPADDD h, o, o

#define TWOS \
	MOVL         $2, AX  \
	VMOVD        AX, X15 \
	VPBROADCASTD X15, Y15

// func liftRowAVX2(line, l, h *int32, n int)
TEXT ·liftRowAVX2(SB), NOSPLIT, $0-32
	MOVQ line+0(FP), DI
	MOVQ l+8(FP), SI
	MOVQ h+16(FP), DX
	MOVQ n+24(FP), CX
	TWOS

loop:
	VMOVDQU    (DX), Y0
	VMOVDQU    4(DX), Y1
	VMOVDQU    8(DX), Y2
	EVEN(0(SI), Y0, Y1, Y3)
	EVEN(4(SI), Y1, Y2, Y4)
	ODD(Y1, Y3, Y4, Y5)
	VPUNPCKLDQ Y5, Y3, Y6
	VPUNPCKHDQ Y5, Y3, Y7
	VPERM2I128 $0x20, Y7, Y6, Y8
	VPERM2I128 $0x31, Y7, Y6, Y9
	VMOVDQU    Y8, (DI)
	VMOVDQU    Y9, 32(DI)
	ADDQ       $32, SI
	ADDQ       $32, DX
	ADDQ       $64, DI
	SUBQ       $8, CX
	JNZ        loop
	VZEROUPPER
	RET

// func liftColumnsAVX2(line, l, h *int32, stride, n int)
//
// Y0 and Y1 are the even samples above the odd ones, Y2 and Y3 the high coefficients above l.
TEXT ·liftColumnsAVX2(SB), NOSPLIT, $0-40
	MOVQ line+0(FP), DI
	MOVQ l+8(FP), SI
	MOVQ h+16(FP), DX
	MOVQ stride+24(FP), BX
	MOVQ n+32(FP), CX
	TWOS
	VMOVDQU (DX), Y4
	VMOVDQU 32(DX), Y5
	ADDQ    BX, DX
	VMOVDQU (DX), Y2
	VMOVDQU 32(DX), Y3
	EVEN(0(SI), Y4, Y2, Y0)
	EVEN(32(SI), Y5, Y3, Y1)

loop:
	ADDQ    BX, SI
	ADDQ    BX, DX
	VMOVDQU (DX), Y4
	VMOVDQU 32(DX), Y5
	EVEN(0(SI), Y2, Y4, Y6)
	EVEN(32(SI), Y3, Y5, Y7)
	ODD(Y2, Y0, Y6, Y8)
	ODD(Y3, Y1, Y7, Y9)
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y8, 64(DI)
	VMOVDQU Y9, 96(DI)
	VMOVDQA Y6, Y0
	VMOVDQA Y7, Y1
	VMOVDQA Y4, Y2
	VMOVDQA Y5, Y3
	ADDQ    $128, DI
	DECQ    CX
	JNZ     loop
	VZEROUPPER
	RET

// HALVE divides by two, towards zero.
#define HALVE(v) \
	VPSRLD $31, v, Y10 \
	VPADDD Y10, v, v   \
	VPSRAD $1, v, v

// func putRowsAVX2(plane, values *int32, stride, n int)
//
// Y0 to Y3 are columns 0 and 4, 1 and 5, 2 and 6, 3 and 7, and then the rows.
TEXT ·putRowsAVX2(SB), NOSPLIT, $0-32
	MOVQ plane+0(FP), DI
	MOVQ values+8(FP), SI
	MOVQ stride+16(FP), BX
	MOVQ n+24(FP), CX
	LEAQ (DI)(BX*2), DX

loop:
	VMOVDQU     (SI), X0
	VMOVDQU     16(SI), X1
	VMOVDQU     32(SI), X2
	VMOVDQU     48(SI), X3
	VINSERTI128 $1, 64(SI), Y0, Y0
	VINSERTI128 $1, 80(SI), Y1, Y1
	VINSERTI128 $1, 96(SI), Y2, Y2
	VINSERTI128 $1, 112(SI), Y3, Y3
	HALVE(Y0)
	HALVE(Y1)
	HALVE(Y2)
	HALVE(Y3)
	VPUNPCKLDQ  Y1, Y0, Y4
	VPUNPCKHDQ  Y1, Y0, Y5
	VPUNPCKLDQ  Y3, Y2, Y6
	VPUNPCKHDQ  Y3, Y2, Y7
	VPUNPCKLQDQ Y6, Y4, Y0
	VPUNPCKHQDQ Y6, Y4, Y1
	VPUNPCKLQDQ Y7, Y5, Y2
	VPUNPCKHQDQ Y7, Y5, Y3
	VMOVDQU     Y0, (DI)
	VMOVDQU     Y1, (DI)(BX*1)
	VMOVDQU     Y2, (DX)
	VMOVDQU     Y3, (DX)(BX*1)
	ADDQ        $128, SI
	ADDQ        $32, DI
	ADDQ        $32, DX
	SUBQ        $8, CX
	JNZ         loop
	VZEROUPPER
	RET

// func clampAVX2(dst *uint32, src *int32, n int, shift, largest int32)
TEXT ·clampAVX2(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DI
	MOVQ         src+8(FP), SI
	MOVQ         n+16(FP), CX
	MOVL         shift+24(FP), AX
	MOVL         largest+28(FP), BX
	VMOVD        AX, X0
	VMOVD        BX, X1
	VPBROADCASTD X0, Y0
	VPBROADCASTD X1, Y1
	VPSUBD       Y0, Y1, Y1          // the largest before the shift
	VPXOR        Y2, Y2, Y2
	VPSUBD       Y0, Y2, Y2          // the smallest

loop:
	VMOVDQU (SI), Y3
	VPMAXSD Y2, Y3, Y3
	VPMINSD Y1, Y3, Y3
	VPADDD  Y0, Y3, Y3
	VMOVDQU Y3, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	SUBQ    $8, CX
	JNZ     loop
	VZEROUPPER
	RET
