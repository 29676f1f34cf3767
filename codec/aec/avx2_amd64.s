#include "go_asm.h"
#include "textflag.h"

// func mapSumsAVX2(block *uint32, n int, x uint32, a *assessment) (exact bool)
//
// Y0 is the vector of samples before this one, Y1 bias, Y2 mask; X3, X4 and X5 are the shifts k-1, k
// and k+1; Y6 to Y9 are the sums of the differences and of what the shifts leave of them; Y10 has
// all of their bits. For k = 0 the first shift is 2³²-1, which leaves 0.
//
// With x the sample before y, a = |y-x| and room = min(x, mask-x), the mapped difference is
// a + min(a, room), less 1 where y is below x and a not above room.
TEXT ·mapSumsAVX2(SB), NOSPLIT, $0-33
	MOVQ         block+0(FP), SI
	MOVQ         n+8(FP), CX
	MOVQ         a+24(FP), DI
	MOVL         x+16(FP), AX
	VMOVD        AX, X0
	VPBROADCASTD X0, Y0
	VPBROADCASTD assessment_bias(DI), Y1
	VPBROADCASTD assessment_mask(DI), Y2
	MOVL         assessment_k(DI), AX
	LEAL         -1(AX), BX
	LEAL         1(AX), DX
	VMOVD        BX, X3
	VMOVD        AX, X4
	VMOVD        DX, X5
	VPXOR        Y6, Y6, Y6
	VPXOR        Y7, Y7, Y7
	VPXOR        Y8, Y8, Y8
	VPXOR        Y9, Y9, Y9
	VPXOR        Y10, Y10, Y10

loop:
	VPXOR      (SI), Y1, Y11         // y
	VPERM2I128 $0x21, Y11, Y0, Y12
	VPALIGNR   $12, Y12, Y11, Y12    // x
	VMOVDQA    Y11, Y0
	VPSUBD     Y12, Y2, Y13
	VPMINUD    Y12, Y13, Y13         // room
	VPMAXUD    Y11, Y12, Y14
	VPMINUD    Y11, Y12, Y15
	VPSUBD     Y15, Y14, Y15         // a
	VPCMPEQD   Y14, Y11, Y14         // y not below x
	VPMINUD    Y13, Y15, Y13
	VPCMPEQD   Y13, Y15, Y12         // a not above room
	VPANDN     Y12, Y14, Y12
	VPADDD     Y13, Y15, Y13
	VPADDD     Y12, Y13, Y14
	VMOVDQU    Y14, (SI)
	VPOR       Y14, Y10, Y10
	VPADDD     Y14, Y6, Y6
	VPSRLD     X3, Y14, Y11
	VPSRLD     X4, Y14, Y12
	VPSRLD     X5, Y14, Y13
	VPADDD     Y11, Y7, Y7
	VPADDD     Y12, Y8, Y8
	VPADDD     Y13, Y9, Y9
	ADDQ       $32, SI
	SUBQ       $8, CX
	JNZ        loop

	VPHADDD      Y7, Y6, Y6
	VPHADDD      Y9, Y8, Y8
	VPHADDD      Y8, Y6, Y6
	VEXTRACTI128 $1, Y6, X7
	VPADDD       X7, X6, X6
	VPMOVZXDQ    X6, Y6
	VMOVDQU      Y6, assessment_sums(DI)
	VPBROADCASTD assessment_high(DI), Y11
	VPTEST       Y11, Y10
	SETEQ        exact+32(FP)
	VZEROUPPER
	RET

// func unarySumAVX2(block *uint32, n int, k uint) (sum uint32)
TEXT ·unarySumAVX2(SB), NOSPLIT, $0-28
	MOVQ  block+0(FP), SI
	MOVQ  n+8(FP), CX
	VMOVQ k+16(FP), X1
	VPXOR Y0, Y0, Y0

loop:
	VMOVDQU (SI), Y2
	VPSRLD  X1, Y2, Y2
	VPADDD  Y2, Y0, Y0
	ADDQ    $32, SI
	SUBQ    $8, CX
	JNZ     loop

	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPHADDD      X0, X0, X0
	VPHADDD      X0, X0, X0
	VMOVD        X0, AX
	MOVL         AX, sum+24(FP)
	VZEROUPPER
	RET

// func unmapAVX2(block *uint32, n int, x, mask uint32) (done int)
//
// Y0 is the sample before the group, Y1 mask, Y2 ones, Y3 zeros, Y4 the index of the last sample.
// A group is done when no difference is further than the sample before it is from the nearer end.
TEXT ·unmapAVX2(SB), NOSPLIT, $0-32
	MOVQ         block+0(FP), SI
	MOVQ         n+8(FP), CX
	MOVQ         SI, DI
	MOVL         x+16(FP), AX
	VMOVD        AX, X0
	VPBROADCASTD X0, Y0
	MOVL         mask+20(FP), AX
	VMOVD        AX, X1
	VPBROADCASTD X1, Y1
	VPCMPEQD     Y2, Y2, Y2
	VPXOR        Y3, Y3, Y3
	VPSRLD       $29, Y2, Y4
	VPSRLD       $31, Y2, Y2

loop:
	VMOVDQU    (SI), Y5
	VPAND      Y2, Y5, Y6
	VPSRLD     $1, Y5, Y5
	VPADDD     Y6, Y5, Y7            // distance
	VPSUBD     Y6, Y3, Y6
	VPXOR      Y6, Y5, Y5            // difference
	VPSLLDQ    $4, Y5, Y6
	VPADDD     Y6, Y5, Y8
	VPSLLDQ    $8, Y8, Y6
	VPADDD     Y6, Y8, Y8            // sums of the first four and of the last four
	VPSHUFD    $0xFF, Y8, Y6
	VPERM2I128 $0x08, Y6, Y6, Y6
	VPADDD     Y6, Y8, Y8
	VPADDD     Y0, Y8, Y8            // samples
	VPSUBD     Y5, Y8, Y6            // the sample before each
	VPSUBD     Y6, Y1, Y9
	VPMINUD    Y6, Y9, Y9            // room
	VPMINUD    Y7, Y9, Y9
	VPCMPEQD   Y7, Y9, Y9
	VPMOVMSKB  Y9, AX
	CMPL       AX, $-1
	JNE        end
	VMOVDQU    Y8, (SI)
	VPERMD     Y8, Y4, Y0
	ADDQ       $32, SI
	SUBQ       $8, CX
	JNZ        loop

end:
	SUBQ DI, SI
	SHRQ $2, SI
	MOVQ SI, done+24(FP)
	VZEROUPPER
	RET
