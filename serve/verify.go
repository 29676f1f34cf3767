package serve

import (
	"errors"
	"io"
	"sync"

	"github.com/tgmconv/tgmconv/tgm"
)

// verifier compares objects with their hashes, each once, whichever parts of it are read. The zero
// value is ready to use.
type verifier struct {
	skip    bool     // compare nothing
	objects sync.Map // identity of an object for its user, to func() error
}

// check returns a *tgm.HashError if the object that key identifies does not have its hash. One
// without a hash is fine.
func (v *verifier) check(key any, o *tgm.Object) error {
	if _, ok := o.Hash(); !ok || v.skip {
		return nil
	}
	once, ok := v.objects.Load(key)
	if !ok {
		once, _ = v.objects.LoadOrStore(key, sync.OnceValue(o.VerifyHash))
	}
	err := once.(func() error)()
	var differs *tgm.HashError
	if err != nil && !errors.As(err, &differs) {
		v.objects.Delete(key) // it could not be read, which may change
	}
	return err
}

// chunk makes a chunk check its object before anything of it is read.
func (v *verifier) chunk(key any, o *tgm.Object, c Chunk) Chunk {
	if c.Stored != nil {
		c.Stored = verifiedReader{c.Stored, v, key, o}
	}
	if decode := c.Decode; decode != nil {
		c.Decode = func(buffer []byte) ([]byte, error) {
			if err := v.check(key, o); err != nil {
				return nil, err
			}
			return decode(buffer)
		}
	}
	return c
}

type verifiedReader struct {
	io.ReaderAt
	v   *verifier
	key any
	o   *tgm.Object
}

func (r verifiedReader) ReadAt(p []byte, off int64) (int, error) {
	if err := r.v.check(r.key, r.o); err != nil {
		return 0, err
	}
	return r.ReaderAt.ReadAt(p, off)
}
