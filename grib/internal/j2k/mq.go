package j2k

import "math/bits"

// Registers A and C are held with 40 bits below the 16 that the standard compares. The decoder
// renormalizes at an A of mqOne. The lowest 40 bits of C are code bytes that are yet to come,
// where the standard has 16 bits of them.
const (
	mqBelow = 40
	mqAhead = mqBelow - 16
	mqOne   = 0x8000 << mqBelow
	mqMask  = 1<<(16+mqBelow) - 1
)

// mqContext is the state of the probability estimation of a context (table C.2). It has the size
// of the less probable interval, the more probable symbol, and the states that follow a more and
// a less probable symbol.
type mqContext struct {
	qe     int64 // with mqBelow bits below
	symbol uint32
	next   [2]uint8 // indexes of mqTable
}

// mqTable is made of the 47 states of the standard, each for both symbols: twice the state, plus
// the symbol.
var mqTable = func() (t [128]mqContext) {
	for i, s := range mqStates {
		for symbol := range uint8(2) {
			t[2*i+int(symbol)] = mqContext{int64(s.qe) << mqBelow, uint32(symbol), [2]uint8{2*s.mps + symbol, 2*s.lps + symbol ^ s.exchange}}
		}
	}
	return t
}()

// mqStates is table C.2.
var mqStates = [47]struct {
	qe       uint32
	mps, lps uint8
	exchange uint8
}{
	{0x5601, 1, 1, 1}, {0x3401, 2, 6, 0}, {0x1801, 3, 9, 0}, {0x0ac1, 4, 12, 0}, {0x0521, 5, 29, 0}, {0x0221, 38, 33, 0},
	{0x5601, 7, 6, 1}, {0x5401, 8, 14, 0}, {0x4801, 9, 14, 0}, {0x3801, 10, 14, 0}, {0x3001, 11, 17, 0}, {0x2401, 12, 18, 0},
	{0x1c01, 13, 20, 0}, {0x1601, 29, 21, 0}, {0x5601, 15, 14, 1}, {0x5401, 16, 14, 0}, {0x5101, 17, 15, 0}, {0x4801, 18, 16, 0},
	{0x3801, 19, 17, 0}, {0x3401, 20, 18, 0}, {0x3001, 21, 19, 0}, {0x2801, 22, 19, 0}, {0x2401, 23, 20, 0}, {0x2201, 24, 21, 0},
	{0x1c01, 25, 22, 0}, {0x1801, 26, 23, 0}, {0x1601, 27, 24, 0}, {0x1401, 28, 25, 0}, {0x1201, 29, 26, 0}, {0x1101, 30, 27, 0},
	{0x0ac1, 31, 28, 0}, {0x09c1, 32, 29, 0}, {0x08a1, 33, 30, 0}, {0x0521, 34, 31, 0}, {0x0441, 35, 32, 0}, {0x02a1, 36, 33, 0},
	{0x0221, 37, 34, 0}, {0x0141, 38, 35, 0}, {0x0111, 39, 36, 0}, {0x0085, 40, 37, 0}, {0x0049, 41, 38, 0}, {0x0025, 42, 39, 0},
	{0x0015, 43, 40, 0}, {0x0009, 44, 41, 0}, {0x0005, 45, 42, 0}, {0x0001, 45, 43, 0}, {0x5601, 46, 46, 0},
}

// mqDecoder is the arithmetic decoder (annex C.3). Its data end in two bytes of ones, beyond which
// it never reads.
//
// The standard's registers A and C both lose qe with every more probable symbol, and something is
// to be done only when A falls below mqOne or C below 0. So the decoder holds the distance to
// whichever comes first, the slack, and by how much A and C exceed it. A symbol that needs nothing
// else costs one subtraction and one comparison; coding passes hold the slack in a register:
//
//	e := &m.contexts[k&31]
//	slack -= e.qe
//	symbol := e.symbol
//	if slack < 0 {
//		symbol, slack = m.exchange(slack, e)
//	}
type mqDecoder struct {
	slack    int64
	a, c     int64 // the excess of A and C over slack
	count    int   // bits of C before the next byte is needed
	data     []byte
	pos      int
	contexts [32]mqContext // 19 are in use
}

// reset gives the contexts their first states (table D.7).
func (m *mqDecoder) reset() {
	for i := range m.contexts {
		m.contexts[i] = mqTable[0]
	}
	m.contexts[0] = mqTable[2*4]
	m.contexts[contextRun] = mqTable[2*3]
	m.contexts[contextUniform] = mqTable[2*46]
}

func (m *mqDecoder) start(data []byte) {
	m.data, m.pos, m.count = data, 0, 0
	c := m.fill(int64(data[0]) << (16 + mqAhead))
	for n := 7; n > 0; { // the first byte may be all ones, after which no more are read ahead
		k := min(n, m.count)
		c = c << k & mqMask
		m.count -= k
		if n -= k; n > 0 {
			c = m.fill(c)
		}
	}
	m.hold(mqOne, c)
}

// hold splits registers A and C.
func (m *mqDecoder) hold(a, c int64) {
	m.slack = min(a-mqOne, c)
	m.a, m.c = a-m.slack, c-m.slack
}

// fill adds bytes to C, which has none left: one, and as many more as there is room for. After a
// byte of ones the next has seven bits, and another bit that is a carry into that byte: it is not
// read ahead, so that the carry comes when the standard says.
func (m *mqDecoder) fill(c int64) int64 {
	if m.data[m.pos] == 0xff {
		next := int64(m.data[m.pos+1])
		if next > 0x8f { // a marker, or the end
			m.count = 8
			return c + 0xff00<<mqAhead
		}
		m.pos++
		m.count = 7
		return c + next<<(9+mqAhead)
	}
	for m.count <= mqAhead && m.data[m.pos] != 0xff {
		m.pos++
		c += int64(m.data[m.pos]) << (8 + mqAhead - m.count&63)
		m.count += 8
	}
	return c
}

// exchange decodes a symbol of context e for which slack, from which qe has been taken, is
// negative. The symbol is the less probable, or A is to be renormalized. It returns the new
// slack.
func (m *mqDecoder) exchange(slack int64, e *mqContext) (symbol uint32, newSlack int64) {
	a, c, qe := m.a+slack, m.c+slack, e.qe
	// The branch to take cannot be predicted, so there are masks in place of branches. The less
	// probable symbol has come when C is below 0. It has also come when A is below qe, because
	// the intervals are exchanged when the less probable symbol has the larger interval, but not
	// when both are so.
	below := c >> 63
	less := ((a-qe)>>63 ^ below) & 1
	c += qe & below
	a ^= (a ^ qe) & below
	symbol = e.symbol ^ uint32(less)
	*e = mqTable[e.next[less]&127]
	n := bits.LeadingZeros64(uint64(a)) - (64 - 16 - mqBelow)
	for n > m.count {
		a <<= m.count & 63
		c = c << (m.count & 63) & mqMask
		n -= m.count
		m.count = 0
		c = m.fill(c)
	}
	a <<= n & 63
	c = c << (n & 63) & mqMask // data that are no code stream overflow it
	m.count -= n
	slack = min(a-mqOne, c)
	m.a, m.c = a-slack, c-slack
	return symbol, slack
}

// decode returns the next symbol of a context.
func (m *mqDecoder) decode(k uint8) uint32 {
	e := &m.contexts[k&31]
	symbol := e.symbol
	if m.slack -= e.qe; m.slack < 0 {
		symbol, m.slack = m.exchange(m.slack, e)
	}
	return symbol
}

// rawBits reads the bits of passes that are not arithmetically coded (annex D.6). Its data end in
// two bytes of ones.
type rawBits struct {
	data    []byte
	pos     int
	current byte
	left    uint
}

// bit returns the next bit. After a byte of ones the next has seven, and after the end all are
// ones.
func (r *rawBits) bit() uint32 {
	if r.left == 0 {
		next := r.data[min(r.pos, len(r.data)-1)]
		switch {
		case r.current != 0xff:
			r.current, r.left = next, 8
			r.pos++
		case next > 0x8f:
			r.left = 8
		default:
			r.current, r.left = next, 7
			r.pos++
		}
	}
	r.left--
	return uint32(r.current >> r.left & 1)
}
