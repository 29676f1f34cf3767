#include "textflag.h"
#include "go_asm.h"

// Tables of package match.
#define PATTERNS github·com∕tgmconv∕tgmconv∕internal∕codec∕match·Patterns(SB)
#define STEPS github·com∕tgmconv∕tgmconv∕internal∕codec∕match·Steps(SB)

// WINDOW loads the 64 bits of src that end with the byte of bit AX+R14 to DX, sets AX to the first of them,
// and R14 to how many are left before that bit.
#define WINDOW \
	LEAQ 7(AX)(R14*1), CX; SHRQ $3, CX; MOVQ -8(SI)(CX*1), DX; \
	LEAQ -64(CX*8), AX; DECQ R14; ANDL $7, R14; ADDQ $57, R14

// VALUE adds the extra bits of an entry to its value.
#define VALUE(entry, value) \
	RORXQ $8, entry, CX; MOVBLZX CX, CX; SUBQ CX, R14; \
	SHRXQ R14, DX, BP; BZHIQ CX, BP, BP; \
	MOVQ entry, value; SHRQ $32, value; ADDQ BP, value

// NEXT replaces an entry by that of the next state, whose bits are the lowest of BP.
#define NEXT(entry, table) \
	BZHIQ entry, BP, CX; SHRXQ entry, BP, BP; \
	SHRL $16, entry; ADDQ CX, entry; \
	MOVQ table(R15), CX; MOVQ (CX)(entry*8), entry

// ENOUGH loads a window again when it has less than n bits, of which none may lie before the first.
#define ENOUGH(n, enough) \
	CMPQ R14, $n; JGE enough; \
	LEAQ (AX)(R14*1), CX; CMPQ CX, run_first(R15); JLT back; \
	WINDOW

// func unpack(r *run, outEnd, litEnd int) bool
//
// SI is src, AX+R14 the bit, DI the next byte of dst, R11 the next literal; R8, R9 and R10 are the entries
// of literals, offset and match; BX, R12 and R13 their values. Bits are taken of the window by counts
// that do not wait for those before: what one sequence waits for of the last one are its states.
TEXT ·unpack(SB), NOSPLIT, $8-25
	MOVQ r+0(FP), R15
	MOVQ run_src(R15), SI
	XORL AX, AX
	MOVQ run_at(R15), R14
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

	MOVQ R14, bit-8(SP) // before a sequence: where it goes back to when it cannot be unpacked here

	PCALIGN $32
loop:
	WINDOW
	VALUE(R9, R12)
	VALUE(R10, R13)
	ENOUGH(16, literal)

literal:
	VALUE(R8, BX)
	ENOUGH(26, states)

states:

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
	LEAQ    (R8)(R9*1), CX
	ADDQ    R10, CX
	MOVBLZX CX, CX
	SUBQ    CX, R14
	SHRXQ   R14, DX, BP
	NEXT(R9, run_offTab)
	NEXT(R10, run_matchTab)
	NEXT(R8, run_litTab)
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
	LEAQ (AX)(R14*1), DX
	MOVQ DX, bit-8(SP)
	CMPQ CX, $1
	JLE  done
	CMPQ DX, run_first(R15)
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
done:
	MOVQ bit-8(SP), AX
	MOVQ AX, run_at(R15)
	MOVQ R8, run_lit(R15)
	MOVQ R9, run_off(R15)
	MOVQ R10, run_match(R15)
	SUBQ run_dst(R15), DI
	MOVQ DI, run_out(R15)
	SUBQ run_literals(R15), R11
	MOVQ R11, run_litAt(R15)
	RET
