package zarr

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tgmconv/tgmconv/internal/fault"
)

// A FormatError reports a metadata document that is not valid.
type FormatError struct {
	// Document is its key in the store, such as "t/zarr.json".
	Document string
	// Field is the member that is wrong, such as "shape[1]"; empty for the document as a whole.
	Field string
	// Found and Expected are the invalid value and the valid ones; they may be empty if Err has them.
	Found, Expected string
	Err             error // may be nil
}

func (e *FormatError) Error() string {
	if detail := e.Detail(); detail != "" {
		return "zarr: " + detail
	}
	return "zarr"
}

// Detail returns the text of the error without the name of the package.
func (e *FormatError) Detail() string {
	var parts []string
	if e.Document != "" {
		parts = append(parts, e.Document)
	}
	switch {
	case e.Expected == "" && e.Field != "":
		parts = append(parts, e.Field)
	case e.Expected != "":
		parts = append(parts, strings.TrimSpace(e.Field+" is "+e.Found)+", expected "+e.Expected)
	}
	if e.Err != nil {
		parts = append(parts, fault.Detail(e.Err))
	}
	return strings.Join(parts, ": ")
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// malformed is the error for a member of a document.
func malformed(field, expected, found string, args ...any) error {
	return &FormatError{Field: field, Found: fmt.Sprintf(found, args...), Expected: expected}
}

// inDocument adds the document to an error. Valid parts that are not implemented stay an [UnsupportedError].
func inDocument(key string, err error) error {
	if err == nil {
		return nil
	}
	var unsupported *UnsupportedError
	if errors.As(err, &unsupported) {
		return fmt.Errorf("%s: %w", key, err)
	}
	f, ok := err.(*FormatError)
	if !ok {
		return &FormatError{Document: key, Err: err}
	}
	located := *f
	located.Document = key
	return &located
}
