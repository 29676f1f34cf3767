// Package process measures the processor time and memory of the process.
package process

import "runtime/metrics"

// Memory returns how many bytes the Go runtime holds of the system now. Stacks of C and files mapped
// into memory are not among them.
func Memory() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}
