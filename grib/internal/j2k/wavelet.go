package j2k

// wavelet undoes the reversible 5/3 transform (annex F.3).
type wavelet struct {
	line []int32
}

// columns is how many columns are transformed at once: a cache line of them.
const columns = 16

// synthesize makes a resolution, in place, of the next lower resolution and its three subbands.
// They lie in the four quarters of the area.
func (v *wavelet) synthesize(plane []int32, stride int, low, area rect) {
	w, h := area.width(), area.height()
	if w <= 0 || h <= 0 {
		return
	}
	if n := max(w, h*columns); len(v.line) < n {
		v.line = make([]int32, n)
	}
	for y := range h {
		v.row(plane[y*stride:][:w], low.width(), area.x0&1)
	}
	for x := 0; x < w; x += columns {
		v.column(plane[x:], stride, min(columns, w-x), h, low.height(), area.y0&1)
	}
}

// Even samples lose a quarter of the odd samples beside them, then odd samples gain half of their
// even neighbours. At the ends the single neighbour stands for both. Both steps are done at once:
// an odd sample as soon as the even sample after it is there.

// even returns an even sample. Its low coefficient is l, the high coefficients beside it a and b.
func even(l, a, b int32) int32 { return l - (a+b+2)>>2 }

// row transforms one row: low coefficients, then high. If odd is 1, the first sample has an odd
// coordinate, and so is high.
func (v *wavelet) row(row []int32, low, odd int) {
	if len(row) == 1 {
		if odd == 1 {
			row[0] /= 2
		}
		return
	}
	line := v.line[:len(row)]
	l, h := row[:low], row[low:]
	if odd == 0 {
		evenRow(line, l, h)
	} else {
		oddRow(line, l, h)
	}
	copy(row, line)
}

// evenRow begins with a low coefficient. High coefficients are as many, or fewer by 1.
func evenRow(line, l, h []int32) {
	e, i := even(l[0], h[0], h[0]), 0
	if n := len(h) - 2; n >= 8 {
		next := even(l[1], h[0], h[1])
		line[0], line[1] = e, h[0]+(e+next)>>1
		i = 1 + liftRow(line[2:], l[1:], h, n)
		e = even(l[i], h[i-1], h[i])
	}
	for ; i < len(h)-1; i++ {
		next := even(l[i+1], h[i], h[i+1])
		out := line[2*i : 2*i+2 : 2*i+2]
		out[0], out[1] = e, h[i]+(e+next)>>1
		e = next
	}
	last := len(h) - 1
	line[2*last] = e
	if len(l) == len(h) {
		line[2*last+1] = h[last] + e
		return
	}
	next := even(l[last+1], h[last], h[last])
	line[2*last+1] = h[last] + (e+next)>>1
	line[2*last+2] = next
}

// oddRow begins with a high coefficient. Low coefficients are as many, or fewer by 1.
func oddRow(line, l, h []int32) {
	last := len(l) - 1
	line[0] = h[0] + even(l[0], h[0], h[min(1, len(h)-1)])
	i := liftRow(line[1:], l, h, min(len(h)-2, last))
	e := even(l[i], h[i], h[min(i+1, len(h)-1)])
	for ; i < last; i++ {
		next := even(l[i+1], h[i+1], h[min(i+2, len(h)-1)])
		out := line[2*i+1 : 2*i+3 : 2*i+3]
		out[0], out[1] = e, h[i+1]+(e+next)>>1
		e = next
	}
	line[2*last+1] = e
	if len(h) > len(l) {
		line[2*last+2] = h[last+1] + e
	}
}

// liftRow makes pairs of an even and an odd sample until fewer than 8 of n are left. It returns
// how many. The even sample of pair i has low coefficient l[i] and lies between h[i] and h[i+1].
func liftRow(line, l, h []int32, n int) int {
	n &^= 7
	if n <= 0 || !vectors {
		return 0
	}
	_, _, _ = line[2*n-1], l[n], h[n+1]
	liftRowAVX2(&line[0], &l[0], &h[0], n)
	return n
}

// neighbours returns the indexes beside i of n, mirrored at the ends.
func neighbours(i, n int) (before, after int) {
	before, after = i-1, i+1
	if before < 0 {
		before = 1
	}
	if after >= n {
		after = n - 2
	}
	return before, after
}

// column transforms w columns at once.
func (v *wavelet) column(plane []int32, stride, w, h, low, odd int) {
	if h == 1 {
		if odd == 1 {
			for i := range plane[:w] {
				plane[i] /= 2
			}
		}
		return
	}
	line := func(i int) []int32 { return v.line[i*columns : i*columns+columns : i*columns+columns][:w] }
	highs := h - low
	high := func(i int) []int32 { return plane[(low+min(max(i, 0), highs-1))*stride:][:w] }
	first := 1 - odd // even sample that lies between two high coefficients
	lifted := 0
	if w == columns {
		lifted = v.liftColumns(plane, stride, low, highs, first, odd)
	}
	for i := range low {
		if i-first >= 0 && i-first < lifted {
			continue
		}
		a, b, l, x := high(i-1+odd), high(i+odd), plane[i*stride:][:w], line(2*i+odd)
		for k := range x {
			x[k] = even(l[k], a[k], b[k])
		}
	}
	for i := range highs {
		if i >= 1 && i <= lifted {
			continue
		}
		at := 2*i + 1 - odd
		before, after := neighbours(at, h)
		a, b, l, x := line(before), line(after), high(i), line(at)
		for k := range x {
			x[k] = l[k] + (a[k]+b[k])>>1
		}
	}
	for i := range h {
		if w == columns { // without a call
			*(*[columns]int32)(plane[i*stride:]) = *(*[columns]int32)(v.line[i*columns:])
		} else {
			copy(plane[i*stride:][:w], line(i))
		}
	}
}

// liftColumns makes the even samples from first on and the odd sample after each, and returns
// the number of pairs. It goes as far as both neighbours of all are there.
func (v *wavelet) liftColumns(plane []int32, stride, low, highs, first, odd int) int {
	n := min(highs-2, low-1-first)
	if n <= 0 || !vectors {
		return 0
	}
	l, h := plane[first*stride:], plane[low*stride:]
	at := (2*first + odd) * columns
	_, _, _ = v.line[at+2*n*columns-1], l[n*stride+columns-1], h[(n+1)*stride+columns-1]
	liftColumnsAVX2(&v.line[at], &l[0], &h[0], 4*stride, n)
	return n
}
