package j2k

// mqState is a state of the probability estimation (table C.2): the size of the less probable
// interval, and the states that follow a more and a less probable symbol. A state and the symbol
// that is more probable make an index: twice the state, plus the symbol.
type mqState struct {
	qe       uint32
	mps, lps uint8
}

// mqTable is made of the 47 states of the standard.
var mqTable = func() (t [94]mqState) {
	for i, s := range [47]struct {
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
	} {
		for symbol := range uint8(2) {
			t[2*i+int(symbol)] = mqState{s.qe, 2*s.mps + symbol, 2*s.lps + symbol ^ s.exchange}
		}
	}
	return t
}()

// mqDecoder is the arithmetic decoder (annex C.3). data end in two bytes of ones, beyond which it
// never reads.
type mqDecoder struct {
	a, c     uint32
	count    uint32 // bits of c before the next byte is needed
	data     []byte
	pos      int
	contexts [19]uint8 // indexes of mqTable
}

// reset gives the contexts their first states (table D.7).
func (m *mqDecoder) reset() {
	m.contexts = [19]uint8{0: 2 * 4, contextRun: 2 * 3, contextUniform: 2 * 46}
}

func (m *mqDecoder) start(data []byte) {
	m.data, m.pos = data, 0
	m.c = uint32(data[0]) << 16
	m.byteIn()
	m.c <<= 7
	m.count -= 7
	m.a = 0x8000
}

func (m *mqDecoder) byteIn() {
	next := uint32(m.data[m.pos+1])
	switch {
	case m.data[m.pos] != 0xff:
		m.pos++
		m.c += next << 8
		m.count = 8
	case next > 0x8f: // a marker, or the end
		m.c += 0xff00
		m.count = 8
	default:
		m.pos++
		m.c += next << 9
		m.count = 7
	}
}

// decode returns the next symbol of a context.
func (m *mqDecoder) decode(context uint8) uint32 {
	index := m.contexts[context]
	s := &mqTable[index]
	symbol := uint32(index & 1)
	a := m.a - s.qe
	if m.c>>16 >= s.qe {
		m.c -= s.qe << 16
		if a&0x8000 != 0 {
			m.a = a
			return symbol
		}
		if a < s.qe {
			symbol ^= 1
			m.contexts[context] = s.lps
		} else {
			m.contexts[context] = s.mps
		}
	} else {
		if a < s.qe {
			m.contexts[context] = s.mps
		} else {
			symbol ^= 1
			m.contexts[context] = s.lps
		}
		a = s.qe
	}
	for {
		if m.count == 0 {
			m.byteIn()
		}
		a <<= 1
		m.c <<= 1
		m.count--
		if a&0x8000 != 0 {
			m.a = a
			return symbol
		}
	}
}

// rawBits reads the bits of passes that are not arithmetically coded (annex D.6). data end in two
// bytes of ones.
type rawBits struct {
	data    []byte
	pos     int
	current byte
	left    uint
}

// bit returns the next bit: behind a byte of ones the next has seven, and behind the end all are
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
