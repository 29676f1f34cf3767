package importers

import (
	"context"

	"github.com/tgmconv/tgmconv/tgm"
)

// encodeQuantised stores the integers the source has, nil if it has none.
func (f *Field) encodeQuantised(ctx context.Context, e *Encoding, shape []uint64, scratch *Scratch) (*tgm.EncodedObject, error) {
	packed, err := f.Values.Packed(ctx, scratch)
	if packed == nil || err != nil {
		return nil, err
	}
	if err := e.work.take(len(packed.Samples), 4); err != nil {
		return nil, err
	}
	packed.Shape = shape
	p := e.packed(packed.Params.Bits)
	object, err := tgm.EncodePacked(*packed, p)
	if err != nil || packed.Samples == nil || p.Compression == "" {
		return object, err // copied, or without integers
	}
	if stored := f.storedBytes(); stored > 0 {
		t := packedTries{*packed, p, e.Level, object, stored}
		return t.shortest()
	}
	return object, nil
}

// storedBytes is how many bytes the source takes for the elements, 0 if that does not matter.
func (f *Field) storedBytes() int64 {
	if f.StoredBytes == nil {
		return 0
	}
	return f.StoredBytes()
}

// entrySize is about the size of an object's metadata.
const entrySize = 1 << 10

// packedTries stores integers in one way after the other, and keeps the shortest. It ends when they
// take not many more bytes than in the source.
type packedTries struct {
	integers tgm.Packed
	pipeline tgm.Pipeline // of the first try
	level    int          // of zstd, 0 for any
	best     *tgm.EncodedObject
	stored   int64 // bytes in the source
}

// shortest returns the shortest object. The first has blocks of 16 samples: others are shorter by a
// few percent where values are smoother or rougher than most. zstd is shorter where there are few
// different values, or long runs of one; since it takes the most time, it is for objects still some
// percent larger than in the source.
func (t *packedTries) shortest() (*tgm.EncodedObject, error) {
	for _, try := range []struct {
		above int64
		run   func() error
	}{
		{t.stored - entrySize, t.blocks},
		{t.largest(), t.zstd},
	} {
		if t.best.Size() <= try.above {
			break
		}
		if err := try.run(); err != nil {
			t.best.Release()
			return nil, err
		}
	}
	return t.best, nil
}

// largest is the size of an object from which zstd is tried.
func (t *packedTries) largest() int64 { return t.stored + t.stored/32 }

// blocks tries szip with larger blocks, or smaller ones if these take more.
func (t *packedTries) blocks() error {
	larger, err := t.inBlocks(32)
	if err != nil {
		return err
	}
	if larger {
		_, err = t.inBlocks(64)
	} else {
		_, err = t.inBlocks(8)
	}
	return err
}

func (t *packedTries) inBlocks(samples int) (shorter bool, err error) {
	p := t.pipeline
	p.Szip = tgm.SzipParams{BlockSize: samples, Flags: szipPreprocess}
	other, err := tgm.EncodePacked(t.integers, p)
	if err != nil {
		return false, err
	}
	return t.keep(other, t.best.Size()), nil
}

// szipPreprocess is the flag of szip that stores differences, AEC_DATA_PREPROCESS of libaec.
const szipPreprocess = 8

// keep makes an object the best if it has fewer bytes than the limit.
func (t *packedTries) keep(other *tgm.EncodedObject, limit int64) bool {
	shorter := other.Size() < limit
	if shorter {
		t.best, other = other, t.best
	}
	other.Release()
	return shorter
}

// largestWhole is how many integers are decoded as a whole, if that makes them shorter.
const largestWhole = 1 << 22

// zstd tries shuffle and zstd, which readers decode as a whole: it must be clearly shorter than
// szip. Where it is not much longer, small arrays are compressed again with more effort, unless the
// level is given.
func (t *packedTries) zstd() error {
	if len(t.integers.Samples) > largestWhole {
		return nil
	}
	limit := t.best.Size() / 32 * 31
	p := t.pipeline
	p.Filter, p.Compression, p.Level = "shuffle", "zstd", t.level
	other, err := tgm.EncodePacked(t.integers, p)
	if err != nil {
		return err
	}
	near := t.level == 0 && other.Size() < t.best.Size()/10*11 && 4*len(t.integers.Samples) <= weighedArray
	if t.keep(other, limit); !near || t.best.Size() <= t.largest() {
		return nil
	}
	p.Level = weighedLevel
	if other, err = tgm.EncodePacked(t.integers, p); err != nil {
		return err
	}
	t.keep(other, min(limit, t.best.Size()))
	return nil
}
