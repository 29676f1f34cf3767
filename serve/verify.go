package serve

import (
	"errors"
	"sync"

	"github.com/tgmconv/tgmconv/tgm"
)

// verifier compares objects with their hashes, each once, whichever parts of it are read. The zero
// value is ready to use.
type verifier struct {
	skip    bool     // compare nothing
	objects sync.Map // identity of an object for its user, to func() error
}

// check returns a *tgm.HashError if the object that key identifies does not have its hash.
func (v *verifier) check(key any, o *tgm.Object) error {
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

// of is the check of the object that key identifies, nil if there is nothing to compare.
func (v *verifier) of(key any, o *tgm.Object) func() error {
	if o == nil || v.skip {
		return nil
	}
	if _, ok := o.Hash(); !ok {
		return nil
	}
	return func() error { return v.check(key, o) }
}
