#include "textflag.h"
#include "go_asm.h"

// Tables of package match.
#define PATTERNS github·com∕tgmconv∕tgmconv∕internal∕codec∕match·Patterns(SB)
#define STEPS github·com∕tgmconv∕tgmconv∕internal∕codec∕match·Steps(SB)

// WINDOW loads the bits before bit AX of the stream at SI to DX, the next one highest.
#define WINDOW \
	LEAQ 7(AX), CX; SHRQ $3, CX; MOVQ -8(SI)(CX*1), DX; \
	MOVQ AX, CX; NEGQ CX; ANDL $7, CX; SHLXQ CX, DX, DX

// VALUE adds the extra bits of an entry to its value.
#define VALUE(entry, value, t) \
	MOVQ entry, CX; SHRQ $24, CX; ROLQ CX, DX; BZHIQ CX, DX, t; \
	MOVQ entry, value; SHRQ $32, value; ADDQ t, value; \
	MOVBLZX CX, CX; SUBQ CX, AX

// NEXT replaces an entry by that of the next state.
#define NEXT(entry, table, t) \
	MOVQ entry, CX; SHRQ $16, CX; ROLQ CX, DX; BZHIQ CX, DX, t; \
	MOVWLZX entry, entry; ADDQ t, entry; \
	MOVBLZX CX, CX; SUBQ CX, AX; \
	MOVQ table(R15), CX; MOVQ (CX)(entry*8), entry

// func unpack(r *run, outEnd, litEnd int) bool
//
// SI is src, AX the bit, DI the next byte of dst, R11 the next literal; R8, R9 and R10 are the entries
// of literals, offset and match; BX, R12 and R13 their values; R14 the bit before the sequence, where
// it goes back to when it cannot be unpacked here.
TEXT ·unpack(SB), NOSPLIT, $8-25
	MOVQ r+0(FP), R15
	MOVQ run_src(R15), SI
	MOVQ run_at(R15), AX
	MOVQ run_dst(R15), DI
	MOVQ outEnd+8(FP), BX
	ADDQ DI, BX
	MOVQ BX, outEnd+8(FP)
	ADDQ run_out(R15), DI
	MOVQ run_literals(R15), R11
	MOVQ litEnd+16(FP), BX
	ADDQ R11, BX
	MOVQ BX, litEnd+16(FP)
	ADDQ run_litAt(R15), R11
	MOVQ run_lit(R15), R8
	MOVQ run_off(R15), R9
	MOVQ run_match(R15), R10
	MOVB $1, ret+24(FP)

loop:
	MOVQ AX, R14
	WINDOW
	VALUE(R9, R12, BP)
	VALUE(R10, R13, BP)
	CMPQ AX, run_first(R15)
	JLT  back
	WINDOW
	VALUE(R8, BX, BP)

	// Both ends must be far.
	LEAQ (R11)(BX*1), CX
	CMPQ CX, litEnd+16(FP)
	JHI  back
	LEAQ (DI)(BX*1), CX
	ADDQ R13, CX
	CMPQ CX, outEnd+8(FP)
	JHI  back

	CMPQ R12, $3
	JHI  new
	// The last offset, or one before, by the value less one, and one more without literals.
	CMPQ BX, $1
	ADCQ $-1, R12
	CMPQ R12, $2
	JHI  back
	JEQ  third
	TESTQ R12, R12
	JEQ  same
	MOVQ run_repeat+8(R15), R12
	MOVQ run_repeat(R15), CX
	MOVQ CX, run_repeat+8(R15)
	MOVQ R12, run_repeat(R15)
	JMP  known

same:
	MOVQ run_repeat(R15), R12
	JMP  known

third:
	MOVQ run_repeat+16(R15), R12
	JMP  shift

new:
	SUBQ $3, R12

shift:
	MOVQ run_repeat+8(R15), CX
	MOVQ CX, run_repeat+16(R15)
	MOVQ run_repeat(R15), CX
	MOVQ CX, run_repeat+8(R15)
	MOVQ R12, run_repeat(R15)

known:
	NEXT(R8, run_litTab, BP)
	NEXT(R10, run_matchTab, BP)
	NEXT(R9, run_offTab, BP)
	MOVUPS (R11), X0
	MOVUPS X0, (DI)
	CMPQ BX, $16
	JHI  literals

copied:
	ADDQ BX, DI
	ADDQ BX, R11
	MOVQ DI, CX
	SUBQ run_dst(R15), CX
	CMPQ R12, CX
	JHI  bad
	CMPQ R12, run_window(R15)
	JHI  bad
	MOVQ DI, CX
	SUBQ R12, CX
	LEAQ (DI)(R13*1), BX
	CMPQ R12, $16
	JCS  near

match:
	MOVUPS (CX), X0
	MOVUPS X0, (DI)
	ADDQ $16, CX
	ADDQ $16, DI
	CMPQ DI, BX
	JCS  match

matched:
	MOVQ BX, DI
	MOVQ run_left(R15), CX
	DECQ CX
	MOVQ CX, run_left(R15)
	CMPQ CX, $1
	JLE  done
	CMPQ AX, run_first(R15)
	JGE  loop
	JMP  done

literals:
	MOVQ $16, CX

more:
	MOVUPS (R11)(CX*1), X0
	MOVUPS X0, (DI)(CX*1)
	ADDQ $16, CX
	CMPQ CX, BX
	JCS  more
	JMP  copied

near:
	MOVUPS (CX), X0
	LEAQ STEPS, DX
	MOVBLZX (DX)(R12*1), DX
	SHLQ $4, R12
	LEAQ PATTERNS, CX
	MOVUPS (CX)(R12*1), X1
	PSHUFB X1, X0

period:
	MOVUPS X0, (DI)
	ADDQ DX, DI
	CMPQ DI, BX
	JCS  period
	JMP  matched

bad:
	MOVB $0, ret+24(FP)
	RET

back:
	MOVQ R14, AX

done:
	MOVQ AX, run_at(R15)
	MOVQ R8, run_lit(R15)
	MOVQ R9, run_off(R15)
	MOVQ R10, run_match(R15)
	SUBQ run_dst(R15), DI
	MOVQ DI, run_out(R15)
	SUBQ run_literals(R15), R11
	MOVQ R11, run_litAt(R15)
	RET
