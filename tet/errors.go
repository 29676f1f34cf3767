package tet

import "fmt"

// A FormatError reports a file that does not follow the layout.
type FormatError struct {
	Region string // the part being read, such as "chunk index, row 3"
	Offset int64  // in bytes from the start of the file, -1 if not known
	Msg    string // the values found and expected
	Err    error  // the cause, may be nil
}

func (e *FormatError) Error() string { return "tet: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *FormatError) Detail() string {
	text := e.Region
	if e.Offset >= 0 {
		text += fmt.Sprintf(", at byte %d", e.Offset)
	}
	if e.Msg != "" {
		text += ": " + e.Msg
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

func formatErrorf(region string, offset int64, format string, args ...any) error {
	return &FormatError{Region: region, Offset: offset, Msg: fmt.Sprintf(format, args...)}
}

// An UnsupportedError reports a feature that this package or the layout lacks, such as another
// version or type of element.
type UnsupportedError struct{ Msg string }

func (e *UnsupportedError) Error() string { return "tet: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *UnsupportedError) Detail() string { return e.Msg }

// A SelectionError reports a selection that does not fit its dataset.
type SelectionError struct {
	Dataset string
	Axis    int // -1 if it is not about one axis
	Msg     string
}

func (e *SelectionError) Error() string { return "tet: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *SelectionError) Detail() string {
	if e.Axis < 0 {
		return fmt.Sprintf("selection of %q: %s", e.Dataset, e.Msg)
	}
	return fmt.Sprintf("selection of %q, axis %d: %s", e.Dataset, e.Axis, e.Msg)
}

// A BudgetError reports a result that is larger than the memory it may take.
type BudgetError struct {
	Dataset      string
	Need, Budget int64 // in bytes
}

func (e *BudgetError) Error() string { return "tet: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *BudgetError) Detail() string {
	return fmt.Sprintf("%q: the selection takes %d bytes, the memory budget is %d", e.Dataset, e.Need, e.Budget)
}
