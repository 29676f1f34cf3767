package tgm

import (
	"sync"
	"sync/atomic"
)

// decoded is an array as its stages give it, with zeros where its masks say otherwise.
type decoded struct {
	data  []byte
	masks nonFinite
}

// keeper keeps decoded arrays of which parts are asked for. They count in a budget, and make room
// for whatever else needs it.
type keeper struct {
	files atomic.Uint64 // how many have a number

	mu      sync.Mutex
	entries map[keptKey]*keptEntry
	bytes   int64 // of all entries
	clock   uint64
}

// keptKey says of what something is kept.
type keptKey struct {
	file   uint64
	offset int64 // of the object
	what   keptKind
}

type keptKind uint8

const (
	keptElements  keptKind = iota // compared with the hash
	keptUnchecked                 // not compared
	keptMasksOnly
)

type keptEntry struct {
	ready chan struct{} // closed when the rest is known
	value decoded
	err   error
	size  int64  // bytes that count; 0 while it is made
	used  uint64 // when it was asked for last
}

// keptShare is the part of a budget that arrays are kept in.
const keptShare = 4

// kept returns what make gives, which is made once as long as it is kept. Calls for the same thing
// wait for each other.
func (b *Budget) kept(key keptKey, size int64, make func() (decoded, error)) (decoded, error) {
	if key.file == 0 {
		return make()
	}
	k := &b.keeper
	k.mu.Lock()
	k.clock++
	if e := k.entries[key]; e != nil {
		e.used = k.clock
		k.mu.Unlock()
		<-e.ready
		return e.value, e.err
	}
	e := &keptEntry{ready: newSignal(), used: k.clock}
	if k.entries == nil {
		k.entries = map[keptKey]*keptEntry{}
	}
	k.entries[key] = e
	k.mu.Unlock()
	defer close(e.ready)
	e.value, e.err = make()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.entries[key] != e { // forgotten meanwhile
		return e.value, e.err
	}
	if e.err != nil || !b.makeRoom(size) {
		delete(k.entries, key)
		return e.value, e.err
	}
	e.size = size
	k.bytes += size
	return e.value, nil
}

func newSignal() chan struct{} { return make(chan struct{}) }

// makeRoom takes memory for an entry, if there is any to be had without waiting. It is called with
// the lock held.
func (b *Budget) makeRoom(size int64) bool {
	k := &b.keeper
	for k.bytes+size > b.size/keptShare {
		if size > b.size/keptShare || !b.evict() {
			return false
		}
	}
	return b.left.TryAcquire(size)
}

// evict gives the memory of the entry back that was not used for longest. It is called with the
// lock held.
func (b *Budget) evict() bool {
	var oldest keptKey
	var found *keptEntry
	for key, e := range b.keeper.entries {
		if e.size > 0 && (found == nil || e.used < found.used) {
			oldest, found = key, e
		}
	}
	if found == nil {
		return false
	}
	b.drop(oldest, found)
	return true
}

// drop is called with the lock held.
func (b *Budget) drop(key keptKey, e *keptEntry) {
	delete(b.keeper.entries, key)
	b.keeper.bytes -= e.size
	b.left.Release(e.size)
}

// takeFromKept takes n bytes, if they become free once less is kept.
func (b *Budget) takeFromKept(n int64) bool {
	b.keeper.mu.Lock()
	defer b.keeper.mu.Unlock()
	for b.evict() {
		if b.left.TryAcquire(n) {
			return true
		}
	}
	return false
}

// forget drops what is kept of a file.
func (b *Budget) forget(file uint64) {
	b.keeper.mu.Lock()
	defer b.keeper.mu.Unlock()
	for key, e := range b.keeper.entries {
		if key.file == file {
			b.drop(key, e)
		}
	}
}

// keptArray returns the decoded array.
func (o *Object) keptArray(p *payloadDecoder, skipHash bool) (decoded, error) {
	if err := p.checkExpansion(int64(p.size), o.payload, o.msg.limits); err != nil {
		return decoded{}, err
	}
	opts := DecodeOptions{ByteOrder: p.order(), SkipHash: skipHash}
	what := keptElements
	if skipHash || !o.msg.hashes {
		what = keptUnchecked
	}
	size := int64(p.size) + p.maskBytes()
	return o.msg.budget.kept(keptKey{o.msg.file, o.Offset(), what}, size, func() (decoded, error) {
		defer o.msg.budget.hold(p.memory(o.payload))()
		return o.readDecoded(p, &opts)
	})
}

// keptMasks returns the masks.
func (o *Object) keptMasks(p *payloadDecoder) (nonFinite, error) {
	if !o.desc.Masks.Any() {
		return nonFinite{}, nil
	}
	d, err := o.msg.budget.kept(keptKey{o.msg.file, o.Offset(), keptMasksOnly}, p.maskBytes(), func() (d decoded, err error) {
		d.masks, err = o.readMasks(p)
		return d, err
	})
	return d.masks, err
}

// maskBytes is how much the masks take in memory.
func (p *payloadDecoder) maskBytes() (n int64) {
	for i := range maskKinds {
		if *maskKinds[i].of(&p.d.Masks) != nil {
			n += int64(p.n/8) + 1
		}
	}
	return n
}
