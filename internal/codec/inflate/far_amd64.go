package inflate

import "golang.org/x/sys/cpu"

// Why decodeFar ended.
const (
	farEnds    = iota // an end is near
	farDone           // the block has ended
	farNoCode         // there is a code without meaning
	farTooLong        // a match begins before the output
)

// decodeFar is fast as far as src and dst go to inEnd and outEnd. It needs BMI2 and SSSE3.
//
//go:noescape
func decodeFar(d *decoder, inEnd, outEnd int) (why, dist int)

// far decodes symbols while both ends are far.
func (d *decoder) far() (done bool, err error) {
	if d.plain || !cpu.X86.HasBMI2 || !cpu.X86.HasSSSE3 {
		return d.fast()
	}
	d.bits &= 1<<(d.count&63) - 1
	switch why, dist := decodeFar(d, len(d.src)-inMargin, len(d.dst)-outMargin); why {
	case farDone:
		return true, nil
	case farNoCode:
		return false, errNoCode
	case farTooLong:
		return false, corrupt("match from %d bytes back", dist)
	}
	return false, nil
}
