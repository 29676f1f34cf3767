package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// owned says that verbs may set the collector, see OwnCollector.
var owned atomic.Bool

// OwnCollector lets the verbs set the collector of the process, and sets the limits that all of them have. In programs that
// run verbs among other work, such as tests, LimitMemory, CollectRarely and CollectServing do nothing.
func OwnCollector() {
	owned.Store(true)
	LimitMemory(SoftMemory)
	raiseLimit()
}

// softLimit is the last argument of LimitMemory.
var softLimit atomic.Int64

// LimitMemory sets the memory in use above which the collector runs before its percentage asks for it, unless the
// user set it.
func LimitMemory(limit int64) {
	if owned.Load() && os.Getenv("GOMEMLIMIT") == "" {
		softLimit.Store(limit)
		debug.SetMemoryLimit(limit)
	}
}

// raiseLimit has the limit follow the memory that is in use where that is more: the collector would
// run without end, which took half of the time of a command that holds one large field.
func raiseLimit() {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	afterCollections(func() {
		limit, now := max(softLimit.Load(), needed()), debug.SetMemoryLimit(-1)
		if isFarFrom(limit, now) {
			debug.SetMemoryLimit(limit)
		}
	})
}

// isFarFrom reports whether a setting of the collector is to be changed from now: each change stops the program.
func isFarFrom(wanted, now int64) bool { return wanted > now || wanted < now-now/4 }

// needed is the memory that the last collection left, a quarter more, or an eighth where that is over 64 MiB, and some
// for memory outside of the heap.
func needed() int64 {
	live := liveHeap()
	return live + max(live/8, min(live/4, 64<<20)) + SoftMemory/8
}

// liveHeap is how much memory the last collection found in use.
func liveHeap() int64 {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64())
}

// afterCollections has do called after each collection.
func afterCollections(do func()) {
	type collected struct{ _ *byte } // not in a block of small objects, which is collected later
	var again func(*collected)
	again = func(*collected) {
		do()
		runtime.SetFinalizer(new(collected), again)
	}
	runtime.SetFinalizer(new(collected), again)
}

// SoftMemory is the memory in use above which the collector runs before its percentage asks for it. Conversions stay
// below it unless a single field is larger.
const SoftMemory = 128 << 20

// Memory that is allocated between collections, in percent of the memory in use. The limit above holds as well.
const (
	// MetadataGC is for verbs that read only metadata. There is so little of it that the usual
	// percentage collects every few megabytes, which takes a third of the time.
	MetadataGC = 400
	// ConversionGC is for conversions, of which small fields cost as much for their metadata as for
	// their values.
	ConversionGC = 200
)

// CollectRarely sets the percentage of the collector, unless the user set it.
func CollectRarely(percent int) {
	if owned.Load() && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// Memory that is allocated between collections while a dataset is served: a percentage of the memory in use, and a
// number of bytes beside it. Most of the memory is chunks, which have no pointers and cost the collector nothing. With
// the percentage alone, a server of small chunks with a few megabytes in use would collect a hundred times a second.
const (
	servedGC    = 50
	spareServed = 16 << 20
)

// CollectServing sets the percentage of the collector while a dataset is served, unless the user set it.
func CollectServing() {
	if !owned.Load() || os.Getenv("GOGC") != "" {
		return
	}
	now := int64(0)
	follow := func() {
		percent := servedGC + spareServed*100/max(liveHeap(), 4<<20) // before the first collection nothing is known to be in use
		if isFarFrom(percent, now) {
			now = percent
			debug.SetGCPercent(int(percent))
		}
	}
	follow()
	afterCollections(follow)
}
