package fromgrib

import (
	"runtime"

	"github.com/tgmconv/tgmconv/grib/keys"
)

// readers lends key readers to the workers of a source. A reader caches keys, so the few readers go
// round.
type readers chan *keys.Reader

func newReaders() readers { return make(readers, runtime.GOMAXPROCS(0)) }

func (r readers) take() *keys.Reader {
	select {
	case k := <-r:
		return k
	default:
		return new(keys.Reader)
	}
}

// give takes a reader back. The handles it made must not be used any more.
func (r readers) give(k *keys.Reader) {
	select {
	case r <- k:
	default:
	}
}
