#include "textflag.h"
#include "go_asm.h"

// Tables of package match.
#define PATTERNS github·com∕tgmconv∕tgmconv∕internal∕codec∕match·Patterns(SB)
#define STEPS github·com∕tgmconv∕tgmconv∕internal∕codec∕match·Steps(SB)

// REFILL makes 56 bits available at least.
#define REFILL \
	MOVQ (R8), CX; SHLXQ BX, CX, CX; ORQ CX, AX; \
	MOVQ $63, CX; SUBQ BX, CX; SHRQ $3, CX; ADDQ CX, R8; ORQ $56, BX

// CODE takes the bits of the code of the entry in DX.
#define CODE \
	SHRXQ DX, AX, AX; MOVL DX, CX; ANDL $63, CX; SUBQ CX, BX

// EXTRA sets CX to the number of extra bits of the entry in DX.
#define EXTRA \
	MOVL DX, CX; SHRL $11, CX; ANDL $15, CX

// VALUE sets to to the base of the entry in DX and its extra bits, which it takes.
#define VALUE(to) \
	EXTRA; BZHIQ CX, AX, to; SHRXQ CX, AX, AX; SUBQ CX, BX; SHRL $16, DX; ADDQ DX, to

// SUB loads the entry of a subtable that the entry in DX names to DX, and takes its bits.
#define SUB(table) \
	EXTRA; BZHIQ CX, AX, CX; SHRL $16, DX; ADDL DX, CX; ANDL $(const_subSize-1), CX; \
	MOVL table_sub(table)(CX*4), DX; CODE

#define LITERALS 0xc0 // of an entry: their number

// func decodeFar(d *decoder, inEnd, outEnd int) (why, dist int)
//
// AX are the bits read ahead, BX how many; R8 is the next byte of src, DI that of dst; R9 and R10 are
// how far these may be; R11 and R12 are the tables; R13 and R14 length and distance of a match.
TEXT ·decodeFar(SB), NOSPLIT, $0-40
	MOVQ d+0(FP), R15
	MOVQ decoder_bits(R15), AX
	MOVQ decoder_count(R15), BX
	MOVQ decoder_src(R15), R8
	MOVQ inEnd+8(FP), R9
	ADDQ R8, R9
	ADDQ decoder_in(R15), R8
	MOVQ decoder_dst(R15), DI
	MOVQ outEnd+16(FP), R10
	ADDQ DI, R10
	ADDQ decoder_out(R15), DI
	LEAQ decoder_lit(R15), R11
	LEAQ decoder_dist(R15), R12
	MOVQ $0, dist+32(FP)

loop:
	MOVQ $const_farEnds, R13
	CMPQ R8, R9
	JHI  end
	CMPQ DI, R10
	JHI  end
	REFILL
	MOVL AX, CX
	ANDL $(const_tableSize-1), CX
	MOVL (R11)(CX*4), DX

literals:
	TESTL $LITERALS, DX
	JEQ   other
	CMPQ  BX, $(2*const_litBits)
	JCS   loop
	MOVL  DX, CX
	SHRL  $16, CX
	MOVW  CX, (DI)
	MOVL  DX, R13
	SHRL  $6, R13
	ANDL  $3, R13
	ADDQ  R13, DI
	CODE
	MOVL  AX, CX
	ANDL  $(const_tableSize-1), CX
	MOVL  (R11)(CX*4), DX
	JMP   literals

other:
	// The longest length and distance take 48 bits.
	REFILL
	CODE
	TESTL $const_flagsOther, DX
	JNE   special

length:
	VALUE(R13)
	MOVL  AX, CX
	ANDL  $((1<<const_distBits)-1), CX
	MOVL  (R12)(CX*4), DX
	CODE
	TESTL $const_flagsOther, DX
	JNE   far

distance:
	VALUE(R14)
	MOVQ DI, CX
	SUBQ decoder_dst(R15), CX
	CMPQ R14, CX
	JHI  long
	MOVQ DI, CX
	SUBQ R14, CX
	LEAQ (DI)(R13*1), DX
	CMPQ R14, $16
	JCS  near

match:
	MOVUPS (CX), X0
	MOVUPS X0, (DI)
	ADDQ $16, CX
	ADDQ $16, DI
	CMPQ DI, DX
	JCS  match
	MOVQ DX, DI
	JMP  loop

near:
	MOVUPS (CX), X0
	LEAQ STEPS, R13
	MOVBLZX (R13)(R14*1), R13
	SHLQ $4, R14
	LEAQ PATTERNS, CX
	MOVUPS (CX)(R14*1), X1
	PSHUFB X1, X0

period:
	MOVUPS X0, (DI)
	ADDQ R13, DI
	CMPQ DI, DX
	JCS  period
	MOVQ DX, DI
	JMP  loop

special:
	TESTL $const_flagSub, DX
	JEQ   ends
	SUB(R11)
	TESTL $LITERALS, DX
	JEQ   ends
	SHRL  $16, DX
	MOVB  DX, (DI)
	INCQ  DI
	JMP   loop

ends:
	TESTL $const_flagsOther, DX
	JEQ   length
	MOVQ  $const_farDone, R13
	TESTL $const_flagEnd, DX
	JNE   end
	MOVQ  $const_farNoCode, R13
	JMP   end

far:
	TESTL $const_flagSub, DX
	JEQ   none
	SUB(R12)
	TESTL $const_flagInvalid, DX
	JEQ   distance

none:
	MOVQ $const_farNoCode, R13
	JMP  end

long:
	MOVQ R14, dist+32(FP)
	MOVQ $const_farTooLong, R13

end:
	MOVQ R13, why+24(FP)
	SUBQ decoder_src(R15), R8
	MOVQ R8, decoder_in(R15)
	SUBQ decoder_dst(R15), DI
	MOVQ DI, decoder_out(R15)
	MOVQ AX, decoder_bits(R15)
	MOVQ BX, decoder_count(R15)
	RET
