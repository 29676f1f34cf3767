package j2k

import "math/bits"

// stripe is four rows of a block.
type stripe struct {
	at     int     // index in flags of its first column
	rows   uint64  // a bit for each row that it has, three apart
	values []int32 // four to a column
	flags  []uint64
}

// stripe returns the stripe whose first row is y.
func (d *blockDecoder) stripe(y int) stripe {
	at := (y/4+1)*d.stride + 1
	return stripe{at, rows & (1<<(3*min(4, d.h-y)) - 1), d.values[y*d.w:][:4*d.w], d.flags[at:][:d.w]}
}

// besides returns the rows of a column that are not significant and have a significant neighbour.
func besides(w uint64) uint64 {
	n := w | w>>1 | w>>2 // of three in a row
	return (n | n>>3 | n>>6) & rows &^ (w / significant)
}

// propagate is the significance propagation pass: samples with significant neighbours.
func (d *blockDecoder) propagate(value int32) {
	m, slack, zero := &d.mq, d.mq.slack, d.zero
	for y := 0; y < d.h; y += 4 {
		t := d.stripe(y)
		for x, w := range t.flags {
			if w&anySignificant == 0 {
				continue
			}
			for todo := besides(w) & t.rows; todo != 0; todo &= todo - 1 {
				at := bits.TrailingZeros32(uint32(todo)) & 63
				k := zero[w>>at&(around|significant)]
				e := &m.contexts[k&31]
				symbol := e.symbol
				if slack -= e.qe; slack < 0 {
					symbol, slack = m.exchange(slack, e)
				}
				w |= visited << at
				if symbol != 0 {
					slack = d.signed(&t, x, uint(at), value, slack)
					w |= t.flags[x]
					todo |= besides(w) & t.rows &^ (2<<at - 1) // the sample below may have come to need this pass
				}
			}
			t.flags[x] = w
		}
	}
	m.slack = slack
}

// refine is the magnitude refinement pass: samples that were significant before this bit plane.
func (d *blockDecoder) refine(half int32) {
	m, slack := &d.mq, d.mq.slack
	for y := 0; y < d.h; y += 4 {
		t := d.stripe(y)
		for x, w := range t.flags {
			todo := w / significant &^ (w / visited) & rows
			if todo == 0 {
				continue
			}
			values := (*[4]int32)(t.values[4*x:])
			for ; todo != 0; todo &= todo - 1 {
				at := bits.TrailingZeros32(uint32(todo)) & 63
				k := refineContext(w >> at)
				e := &m.contexts[k&31]
				symbol := e.symbol
				if slack -= e.qe; slack < 0 {
					symbol, slack = m.exchange(slack, e)
				}
				v := &values[row(uint(at))&3]
				*v = refinedBy(*v, half, symbol)
				w |= refined << at
			}
			t.flags[x] = w
		}
	}
	m.slack = slack
}

// row returns the row whose bits are at higher.
func row(at uint) uint { return at * 11 >> 5 }

// refineContext is the context of refinement (table D.4).
func refineContext(s uint64) uint8 {
	switch {
	case s&refined != 0:
		return contextRefine + 2
	case s&around != 0:
		return contextRefine + 1
	}
	return contextRefine
}

// refinedBy adds half to the magnitude of v or, if symbol is 0, takes it away.
func refinedBy(v, half int32, symbol uint32) int32 {
	negative := v >> 31
	t := half * (2*int32(symbol) - 1)
	return v + (t ^ negative) - negative
}

// cleanup is the cleanup pass over the samples that are left. It ends a bit plane.
func (d *blockDecoder) cleanup(value int32) {
	m, slack, zero := &d.mq, d.mq.slack, d.zero
	for y := 0; y < d.h; y += 4 {
		t := d.stripe(y)
		for x, w := range t.flags {
			var todo uint64
			if w != 0 || t.rows != rows {
				todo = t.rows &^ (w/significant | w/visited)
			} else {
				e := &m.contexts[contextRun]
				symbol := e.symbol
				if slack -= e.qe; slack < 0 {
					symbol, slack = m.exchange(slack, e)
				}
				if symbol == 0 {
					continue
				}
				m.slack = slack
				at := 3 * uint(m.decode(contextUniform)<<1|m.decode(contextUniform))
				slack = d.signed(&t, x, at, value, m.slack)
				w = t.flags[x]
				todo = rows &^ (2<<at - 1)
			}
			for ; todo != 0; todo &= todo - 1 {
				at := bits.TrailingZeros32(uint32(todo)) & 63
				k := zero[w>>at&(around|significant)]
				e := &m.contexts[k&31]
				symbol := e.symbol
				if slack -= e.qe; slack < 0 {
					symbol, slack = m.exchange(slack, e)
				}
				if symbol != 0 {
					slack = d.signed(&t, x, uint(at), value, slack)
					w |= t.flags[x]
				}
			}
			t.flags[x] = w &^ (visited * rows)
		}
	}
	m.slack = slack
}

// signed makes the sample of a column whose bits are at higher significant. The arithmetic decoder
// gives the sign. It returns the decoder's slack.
func (d *blockDecoder) signed(t *stripe, x int, at uint, value int32, slack int64) int64 {
	m := &d.mq
	code := signCodes[d.signs(t.at+x, at)]
	k := code.context
	e := &m.contexts[k&31]
	symbol := e.symbol
	if slack -= e.qe; slack < 0 {
		symbol, slack = m.exchange(slack, e)
	}
	d.become(t, x, at, value, symbol^uint32(code.flip))
	return slack
}

// signs returns which of the four neighbours of a sample are significant and their signs, as an
// index of signCodes.
func (d *blockDecoder) signs(column int, at uint) uint64 {
	f := d.flags[column-1 : column+2 : column+2]
	s := f[1] >> (at & 63)
	return s&(north|west|east|south) | s>>18&1 | f[0]>>(at&63)>>19&4 | f[2]>>(at&63)>>17&16 | s>>18&64
}

// become makes the sample of a column whose bits are at higher significant and tells its
// neighbours.
func (d *blockDecoder) become(t *stripe, x int, at uint, value int32, negative uint32) {
	n := uint64(negative)
	t.values[4*x+int(row(at))] = (value ^ -int32(negative)) + int32(negative)
	f := d.flags[t.at+x-1 : t.at+x+2 : t.at+x+2]
	// In the columns beside it the sample is a neighbour to the east and to the west. For the
	// rows above and below, it is at a corner there: these are the same bits.
	f[0] |= east << (at & 63)
	f[1] |= (significant | n*sign) << (at & 63)
	f[2] |= west << (at & 63)
	switch {
	case at == 0 && !d.causal:
		f = d.flags[t.at+x-1-d.stride:][:3:3]
		f[0] |= southEast << 9
		f[1] |= (south | n*signSouth) << 9
		f[2] |= southWest << 9
	case at == 9:
		f = d.flags[t.at+x-1+d.stride:][:3:3]
		f[0] |= northEast
		f[1] |= north | n*signNorth
		f[2] |= northWest
	}
}

// propagateRaw is propagate for bits that are not arithmetically coded.
func (d *blockDecoder) propagateRaw(value int32) {
	for y := 0; y < d.h; y += 4 {
		t := d.stripe(y)
		for x := range t.flags {
			for at := uint(0); t.rows>>at != 0; at += 3 {
				s := t.flags[x] >> at
				if s&significant != 0 || s&around == 0 {
					continue
				}
				if d.raw.bit() != 0 {
					d.become(&t, x, at, value, d.raw.bit())
				}
				t.flags[x] |= visited << at
			}
		}
	}
}

// refineRaw is refine for bits that are not arithmetically coded.
func (d *blockDecoder) refineRaw(half int32) {
	for y := 0; y < d.h; y += 4 {
		t := d.stripe(y)
		for x := range t.flags {
			for at := uint(0); t.rows>>at != 0; at += 3 {
				if s := t.flags[x] >> at; s&(significant|visited) == significant {
					v := &t.values[4*x+int(row(at))]
					*v = refinedBy(*v, half, d.raw.bit())
					t.flags[x] |= refined << at
				}
			}
		}
	}
}
