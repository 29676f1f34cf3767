package zarr

import (
	"io"
	"sync"

	"github.com/tgmconv/tgmconv/tgm"
)

// verifier compares objects with their hashes, each once, whichever parts of it are read.
type verifier struct {
	objects sync.Map // [2]int, the numbers of message and object, to func() error
}

// check returns a *tgm.HashError if the object does not have its hash. One without a hash is fine.
func (v *verifier) check(o *tgm.Object) error {
	if _, ok := o.Hash(); !ok {
		return nil
	}
	key := [2]int{o.Message().Index(), o.Index()}
	once, ok := v.objects.Load(key)
	if !ok {
		once, _ = v.objects.LoadOrStore(key, sync.OnceValue(o.VerifyHash))
	}
	return once.(func() error)()
}

// chunk makes a chunk check its object before anything of it is read.
func (v *verifier) chunk(o *tgm.Object, c Chunk) Chunk {
	if c.Stored != nil {
		c.Stored = verifiedReader{c.Stored, v, o}
	}
	if decode := c.Decode; decode != nil {
		c.Decode = func() ([]byte, error) {
			if err := v.check(o); err != nil {
				return nil, err
			}
			return decode()
		}
	}
	return c
}

type verifiedReader struct {
	io.ReaderAt
	v *verifier
	o *tgm.Object
}

func (r verifiedReader) ReadAt(p []byte, off int64) (int, error) {
	if err := r.v.check(r.o); err != nil {
		return 0, err
	}
	return r.ReaderAt.ReadAt(p, off)
}
