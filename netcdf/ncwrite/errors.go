package ncwrite

import (
	"errors"
	"fmt"
)

// A ModelError reports a file that cannot be written as it is described.
type ModelError struct {
	Path string // of the group, dimension, type, variable or attribute: "/g", "/g/t2m", "/g/t2m:units"
	Err  error  // the values found and expected
}

func (e *ModelError) Error() string { return fmt.Sprintf("%s: %v", e.Path, e.Err) }

func (e *ModelError) Unwrap() error { return e.Err }

func modelError(path, format string, args ...any) error {
	return &ModelError{Path: path, Err: fmt.Errorf(format, args...)}
}

// A WriteError reports elements that cannot be written.
type WriteError struct {
	Path string // of the variable
	Err  error
}

func (e *WriteError) Error() string { return fmt.Sprintf("variable %s: %v", e.Path, e.Err) }

func (e *WriteError) Unwrap() error { return e.Err }

// wrap adds the variable to an error that names none.
func (v *variable) wrap(err error) error {
	var named *WriteError
	if err == nil || errors.As(err, &named) {
		return err
	}
	return &WriteError{Path: v.path, Err: err}
}

func (v *variable) errorf(format string, args ...any) error {
	return v.wrap(fmt.Errorf(format, args...))
}

var (
	errClosed = errors.New("the writer is closed")

	// ErrTwice is wrapped by errors about chunks that were written before they could take the new
	// elements.
	ErrTwice = errors.New("elements of the chunk were written twice")
)
