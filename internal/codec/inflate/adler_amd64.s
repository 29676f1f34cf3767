#include "textflag.h"

// Weights of sixteen bytes: how often the sum of sums counts each, as words.
DATA weights<>+0(SB)/8, $0x000d000e000f0010
DATA weights<>+8(SB)/8, $0x0009000a000b000c
DATA weights<>+16(SB)/8, $0x0005000600070008
DATA weights<>+24(SB)/8, $0x0001000200030004
GLOBL weights<>(SB), RODATA|NOPTR, $32

// func adlerSums(b []byte) (sum, before, weighted uint64)
//
// X1 is the sum of bytes, X2 the sum of what X1 was before each sixteen bytes, both in two halves; X3
// is the weighted sum, in four.
TEXT ·adlerSums(SB), NOSPLIT, $0-48
	MOVQ b_base+0(FP), SI
	MOVQ b_len+8(FP), CX
	PXOR X0, X0
	PXOR X1, X1
	PXOR X2, X2
	PXOR X3, X3
	MOVOU weights<>+0(SB), X4
	MOVOU weights<>+16(SB), X5
	SHRQ $4, CX
	JZ   done

loop:
	PADDQ     X1, X2
	MOVOU     (SI), X6
	MOVO      X6, X7
	MOVO      X6, X8
	PSADBW    X0, X6
	PADDQ     X6, X1
	PUNPCKLBW X0, X7
	PUNPCKHBW X0, X8
	PMADDWL   X4, X7
	PMADDWL   X5, X8
	PADDL     X7, X3
	PADDL     X8, X3
	ADDQ      $16, SI
	DECQ      CX
	JNZ       loop

done:
	PSHUFD $0x4e, X1, X6
	PADDQ  X6, X1
	MOVQ   X1, sum+24(FP)
	PSHUFD $0x4e, X2, X6
	PADDQ  X6, X2
	MOVQ   X2, before+32(FP)
	PSHUFD $0x4e, X3, X6
	PADDL  X6, X3
	PSHUFD $0xb1, X3, X6
	PADDL  X6, X3
	MOVL   X3, AX
	MOVQ   AX, weighted+40(FP)
	RET

// Weights of 32 bytes.
DATA weights32<>+0(SB)/8, $0x191a1b1c1d1e1f20
DATA weights32<>+8(SB)/8, $0x1112131415161718
DATA weights32<>+16(SB)/8, $0x090a0b0c0d0e0f10
DATA weights32<>+24(SB)/8, $0x0102030405060708
GLOBL weights32<>(SB), RODATA|NOPTR, $32

// func adlerSumsAVX2(b []byte) (sum, before, weighted uint64)
//
// Y1, Y2 and Y3 are what X1, X2 and X3 are above, in twice as many parts.
TEXT ·adlerSumsAVX2(SB), NOSPLIT, $0-48
	MOVQ b_base+0(FP), SI
	MOVQ b_len+8(FP), CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VMOVDQU weights32<>(SB), Y4
	VPCMPEQW Y5, Y5, Y5
	VPSRLW $15, Y5, Y5
	SHRQ $5, CX
	JZ   done

loop:
	VPADDQ     Y1, Y2, Y2
	VMOVDQU    (SI), Y6
	VPSADBW    Y0, Y6, Y7
	VPADDQ     Y7, Y1, Y1
	VPMADDUBSW Y4, Y6, Y6
	VPMADDWD   Y5, Y6, Y6
	VPADDD     Y6, Y3, Y3
	ADDQ       $32, SI
	DECQ       CX
	JNZ        loop

done:
	VEXTRACTI128 $1, Y1, X6
	VPADDQ  X6, X1, X1
	VPSHUFD $0x4e, X1, X6
	VPADDQ  X6, X1, X1
	VMOVQ   X1, sum+24(FP)
	VEXTRACTI128 $1, Y2, X6
	VPADDQ  X6, X2, X2
	VPSHUFD $0x4e, X2, X6
	VPADDQ  X6, X2, X2
	VMOVQ   X2, before+32(FP)
	VEXTRACTI128 $1, Y3, X6
	VPADDD  X6, X3, X3
	VPSHUFD $0x4e, X3, X6
	VPADDD  X6, X3, X3
	VPSHUFD $0xb1, X3, X6
	VPADDD  X6, X3, X3
	VMOVD   X3, AX
	MOVQ    AX, weighted+40(FP)
	VZEROUPPER
	RET
