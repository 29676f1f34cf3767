package j2k

// wavelet undoes the reversible 5/3 transform (annex F.3).
type wavelet struct {
	line []int32
}

// columns is how many columns are transformed at once: a cache line of them.
const columns = 16

// synthesize makes a resolution, in place, of the next lower one and its three subbands, which lie
// in the four quarters of the area.
func (v *wavelet) synthesize(plane []int32, stride int, low, area rect) {
	w, h := area.width(), area.height()
	if w <= 0 || h <= 0 {
		return
	}
	if n := max(w, h*columns); len(v.line) < n {
		v.line = make([]int32, n)
	}
	for y := range h {
		row := plane[y*stride:][:w]
		v.row(row, low.width(), area.x0&1)
	}
	for x := 0; x < w; x += columns {
		v.column(plane[x:], stride, min(columns, w-x), h, low.height(), area.y0&1)
	}
}

// row transforms one row: low coefficients, then high ones. odd says that the first sample has an
// odd coordinate, and so is a high one.
func (v *wavelet) row(row []int32, low, odd int) {
	n := len(row)
	if n == 1 {
		if odd == 1 {
			row[0] /= 2
		}
		return
	}
	line := v.line[:n]
	for i, x := range row[:low] {
		line[2*i+odd] = x
	}
	for i, x := range row[low:] {
		line[2*i+1-odd] = x
	}
	// Even samples lose a quarter of the odd ones beside them, then odd ones gain half of the even
	// ones beside them; at the ends the one neighbour stands for both.
	for i := odd; i < n; i += 2 {
		before, after := neighbours(i, n)
		line[i] -= (line[before] + line[after] + 2) >> 2
		if i+2 < n-1 && i > 0 {
			i = v.evens(line, i+2) - 2
		}
	}
	for i := 1 - odd; i < n; i += 2 {
		before, after := neighbours(i, n)
		line[i] += (line[before] + line[after]) >> 1
		if i+2 < n-1 && i > 0 {
			i = v.odds(line, i+2) - 2
		}
	}
	copy(row, line)
}

// evens does the even samples from i on that have neighbours on both sides, and returns the next
// one.
func (v *wavelet) evens(line []int32, i int) int {
	for ; i < len(line)-1; i += 2 {
		l := line[i-1 : i+2 : i+2]
		l[1] -= (l[0] + l[2] + 2) >> 2
	}
	return i
}

// odds does the odd samples from i on that have neighbours on both sides, and returns the next one.
func (v *wavelet) odds(line []int32, i int) int {
	for ; i < len(line)-1; i += 2 {
		l := line[i-1 : i+2 : i+2]
		l[1] += (l[0] + l[2]) >> 1
	}
	return i
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
	for i := range low {
		copy(line(2*i+odd), plane[i*stride:])
	}
	for i := range h - low {
		copy(line(2*i+1-odd), plane[(low+i)*stride:])
	}
	for i := odd; i < h; i += 2 {
		before, after := neighbours(i, h)
		a, b, x := line(before), line(after), line(i)
		for k := range x {
			x[k] -= (a[k] + b[k] + 2) >> 2
		}
	}
	for i := 1 - odd; i < h; i += 2 {
		before, after := neighbours(i, h)
		a, b, x := line(before), line(after), line(i)
		for k := range x {
			x[k] += (a[k] + b[k]) >> 1
		}
	}
	for i := range h {
		copy(plane[i*stride:][:w], line(i))
	}
}
