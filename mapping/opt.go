package mapping

// An Opt is a value that may be absent. The zero value is absent.
type Opt[T any] struct {
	Value T
	Known bool
}

// Some returns a known value.
func Some[T any](v T) Opt[T] { return Opt[T]{v, true} }

// Get returns the value and whether it is known.
func (o Opt[T]) Get() (T, bool) { return o.Value, o.Known }
