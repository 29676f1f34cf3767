#include "go_asm.h"
#include "textflag.h"

// VALUES maps the numbers v.
#define VALUES(v) \
	VMULPD Y12, v, v \
	VADDPD Y13, v, v \
	VMULPD Y14, v, v

// func packedAVX2(dst *float64, src *byte, n int, p *plan)
TEXT ·packedAVX2(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DI
	MOVQ         src+8(FP), SI
	MOVQ         n+16(FP), CX
	MOVQ         p+24(FP), DX
	MOVQ         plan_step(DX), AX
	MOVQ         plan_second(DX), BX
	VMOVDQU      plan_shuffle(DX), Y9
	VMOVDQU      plan_left(DX), Y10
	VMOVQ        plan_right(DX), X11
	VBROADCASTSD (plan_scale+Scale_Binary)(DX), Y12
	VBROADCASTSD (plan_scale+Scale_Reference)(DX), Y13
	VBROADCASTSD (plan_scale+Scale_Decimal)(DX), Y14

loop:
	VMOVDQU      (SI), X0
	VINSERTI128  $1, (SI)(BX*1), Y0, Y0
	VPSHUFB      Y9, Y0, Y0             // the four bytes that have each integer
	VPSLLVD      Y10, Y0, Y0
	VPSRLD       X11, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VCVTDQ2PD    X0, Y0
	VCVTDQ2PD    X1, Y1
	VALUES(Y0)
	VALUES(Y1)
	VMOVUPD      Y0, (DI)
	VMOVUPD      Y1, 32(DI)
	ADDQ         AX, SI
	ADDQ         $64, DI
	SUBQ         $8, CX
	JNZ          loop
	VZEROUPPER
	RET

// func uint32sAVX2(dst *float64, src *uint32, n int, s *Scale)
//
// An integer in the lowest bits of the number 2⁵² adds its value to it.
TEXT ·uint32sAVX2(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DI
	MOVQ         src+8(FP), SI
	MOVQ         n+16(FP), CX
	MOVQ         s+24(FP), DX
	MOVQ         $0x4330000000000000, AX
	VMOVQ        AX, X11
	VPBROADCASTQ X11, Y11
	VBROADCASTSD Scale_Binary(DX), Y12
	VBROADCASTSD Scale_Reference(DX), Y13
	VBROADCASTSD Scale_Decimal(DX), Y14

loop:
	VPMOVZXDQ (SI), Y0
	VPOR      Y11, Y0, Y0
	VSUBPD    Y11, Y0, Y0
	VALUES(Y0)
	VMOVUPD   Y0, (DI)
	ADDQ      $16, SI
	ADDQ      $32, DI
	SUBQ      $4, CX
	JNZ       loop
	VZEROUPPER
	RET
