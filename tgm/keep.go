package tgm

import (
	"sync"
	"sync/atomic"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// decoded is an array as its stages give it, with zeros at masked elements.
type decoded struct {
	data   []byte
	masks  nonFinite
	pieces *pieces // of arrays that are kept in pieces, in place of data
}

// keeper keeps decoded arrays that are read in parts. They count in a budget, and make room for
// other memory in it.
//
// The order of use is kept by github.com/hashicorp/golang-lru. The caches of internal/lru, which
// stand on it too, have a limit of their own each; here the limit is the part of the budget that
// others leave, and entries go when their file is closed.
type keeper struct {
	files atomic.Uint64 // how many have a number

	mu      sync.Mutex
	entries *simplelru.LRU[keptKey, keptEntry]
	making  map[keptKey]*makingEntry
	bytes   int64 // of all entries
}

// maxKept is more entries than are ever kept: their bytes bound them.
const maxKept = 1 << 30

// keptKey names an array that is kept.
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
	keptPieces
)

type keptEntry struct {
	value decoded
	size  int64 // bytes that count
}

// makingEntry is an array that is being decoded.
type makingEntry struct {
	ready chan struct{} // closed when the rest is known
	value decoded
	err   error
}

// keptShare is the part of a budget that arrays are kept in.
const keptShare = 4

// init makes the keeper of a budget.
func (b *Budget) init() {
	k := &b.keeper
	k.making = make(map[keptKey]*makingEntry)
	// The error is about a size below 1.
	k.entries, _ = simplelru.NewLRU(maxKept, func(_ keptKey, e keptEntry) {
		k.bytes -= e.size
		b.left.Release(e.size)
	})
}

// kept returns the result of decode, which is called once as long as its result is kept. Calls for
// the same thing wait for each other. size is how many bytes of it count.
func (b *Budget) kept(key keptKey, size func(decoded) int64, decode func() (decoded, error)) (decoded, error) {
	if key.file == 0 {
		return decode()
	}
	k := &b.keeper
	k.mu.Lock()
	if e, ok := k.entries.Get(key); ok {
		k.mu.Unlock()
		return e.value, nil
	}
	if m := k.making[key]; m != nil {
		k.mu.Unlock()
		<-m.ready
		return m.value, m.err
	}
	m := &makingEntry{ready: make(chan struct{})}
	k.making[key] = m
	k.mu.Unlock()
	defer close(m.ready)
	m.value, m.err = decode()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.making[key] != m { // forgotten meanwhile
		return m.value, m.err
	}
	delete(k.making, key)
	if m.err != nil {
		return m.value, m.err
	}
	if n := size(m.value); b.makeRoom(n) {
		k.entries.Add(key, keptEntry{m.value, n})
		k.bytes += n
	}
	return m.value, m.err
}

// makeRoom takes memory for an entry, if any is free without waiting. It is called with the lock
// held.
func (b *Budget) makeRoom(size int64) bool {
	k := &b.keeper
	if size > b.size/keptShare {
		return false
	}
	for k.bytes+size > b.size/keptShare {
		k.entries.RemoveOldest()
	}
	return b.left.TryAcquire(size)
}

// takeFromKept takes n bytes, if they become free once less is kept.
func (b *Budget) takeFromKept(n int64) bool {
	b.keeper.mu.Lock()
	defer b.keeper.mu.Unlock()
	for {
		if _, _, ok := b.keeper.entries.RemoveOldest(); !ok {
			return false
		}
		if b.left.TryAcquire(n) {
			return true
		}
	}
}

// forget drops the kept arrays of a file.
func (b *Budget) forget(file uint64) {
	k := &b.keeper
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, key := range k.entries.Keys() {
		if key.file == file {
			k.entries.Remove(key)
		}
	}
	for key := range k.making {
		if key.file == file {
			delete(k.making, key)
		}
	}
}

// keptArray returns the decoded array.
func (o *Object) keptArray(p *payloadDecoder, skipHash bool) (decoded, error) {
	if err := p.checkExpansion(int64(p.size), o.payload, o.msg); err != nil {
		return decoded{}, err
	}
	opts := DecodeOptions{ByteOrder: p.order(), SkipHash: skipHash}
	what := keptElements
	if skipHash || !o.msg.hashes {
		what = keptUnchecked
	}
	size := func(decoded) int64 { return int64(p.size) + p.maskBytes() }
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
	d, err := o.msg.budget.kept(keptKey{o.msg.file, o.Offset(), keptMasksOnly}, func(decoded) int64 { return p.maskBytes() }, func() (d decoded, err error) {
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
