package tgm

import (
	"bytes"
	"errors"
	"sync"
	"testing"
)

// TestConcurrentUse encodes on several goroutines, and reads one file on several. It is for the
// race detector, and for buffers that are given back too early.
func TestConcurrentUse(t *testing.T) {
	const objects = 24
	pipelines := []Pipeline{{}, {Compression: "zstd"}, {Filter: "shuffle", Compression: "lz4"}, {Encoding: "simple_packing", Compression: "szip"}}
	encoded := make([]*EncodedObject, objects)
	inputs := make([][]byte, objects)
	errs := make([]error, objects)
	var wg sync.WaitGroup
	for i := range objects {
		wg.Go(func() {
			inputs[i] = sampleData(Float64, 3000+i)
			encoded[i], errs[i] = EncodeArray(Array{Shape: []uint64{uint64(3000 + i)}, DType: Float64, Data: inputs[i]}, pipelines[i%len(pipelines)])
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	m, _ := message(t, WriterOptions{SpoolMemory: 1}, encoded...)
	for range 4 {
		for i := range objects {
			wg.Go(func() {
				var o *Object
				var a *Array
				if o, errs[i] = m.Object(i); errs[i] != nil {
					return
				}
				if a, errs[i] = o.Decode(DecodeOptions{VerifyHash: true}); errs[i] == nil && i%4 < 3 && !bytes.Equal(a.Data, inputs[i]) {
					errs[i] = errors.New("other values")
				}
			})
		}
		wg.Wait()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
}
