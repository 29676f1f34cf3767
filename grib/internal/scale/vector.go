package scale

// A plan is the steps of packedAVX2 for 8 integers of some width, which fill a whole number of
// bytes. Four are taken from each of two loads of 16 bytes. From these, shuffle takes the 4 bytes
// that have an integer, the last byte first, which is then shifted to the left and to the right.
type plan struct {
	shuffle [32]byte
	left    [8]uint32
	right   uint64
	step    int // bytes of 8 integers
	second  int // where the second load is
	scale   Scale
}

// planBits is the widest integer that fits 4 bytes wherever it begins in the first.
const planBits = 25

func newPlan(s Scale, width int) *plan {
	p := &plan{right: uint64(32 - width), step: width, second: 4 * width / 8, scale: s}
	for i := range 8 {
		at := i * width
		if i >= 4 {
			at -= 8 * p.second
		}
		for b := range 4 {
			p.shuffle[4*i+b] = byte(at/8 + 3 - b)
		}
		p.left[i] = uint32(at % 8)
	}
	return p
}

// unpack maps integers of src, as many as can be done 8 at a time, and returns how many.
func (p *plan) unpack(dst []float64, src []byte) int {
	room := len(src) - p.second - 16
	if room < 0 {
		return 0
	}
	n := 8 * min(len(dst)/8, room/p.step+1)
	if n > 0 {
		packedAVX2(&dst[0], &src[0], n, p)
	}
	return n
}
