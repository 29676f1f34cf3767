package grib

import "sync"

// samplePool keeps memory for integers between fields, which need it only until they are scaled. It
// is not state in any sense that matters; losing it costs allocations.
var samplePool sync.Pool

// keptSamples is how many integers are kept. More are rare, and would hold memory that others need.
const keptSamples = 16 << 20

// integers are samples of a packing before they are scaled.
type integers struct{ samples []uint32 }

// takeSamples gives memory for n integers with unspecified content.
func takeSamples(n int) *integers {
	q, _ := samplePool.Get().(*integers)
	if q == nil {
		q = new(integers)
	}
	if cap(q.samples) < n {
		q.samples = make([]uint32, n)
	}
	q.samples = q.samples[:n]
	return q
}

// release gives the memory back.
func (q *integers) release() {
	if cap(q.samples) <= keptSamples {
		samplePool.Put(q)
	}
}
