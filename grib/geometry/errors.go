package geometry

import "fmt"

// A FormatError says that a grid definition section does not have the form that the edition
// prescribes.
type FormatError struct {
	Edition  int
	Template int // grid definition template (edition 2) or data representation type (edition 1), -1 if not known
	Octet    int // where in the section, counted from 1; 0 when the section as a whole is meant
	Msg      string
}

func (e *FormatError) Error() string { return "grib: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *FormatError) Detail() string {
	s := fmt.Sprintf("grid definition of edition %d", e.Edition)
	if e.Template >= 0 {
		s += fmt.Sprintf(", template %d", e.Template)
	}
	if e.Octet > 0 {
		s += fmt.Sprintf(", octet %d", e.Octet)
	}
	return s + ": " + e.Msg
}

// A LimitError says that a grid has more points than the caller allows.
type LimitError struct {
	What  string // "points", "points along a parallel"
	Value int64
	Max   int64
}

func (e *LimitError) Error() string { return "grib: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *LimitError) Detail() string {
	return fmt.Sprintf("grid has %d %s, at most %d are allowed", e.Value, e.What, e.Max)
}

// A CoordinateError says why a readable grid has no coordinates. Unless docs/exact/geometry.md
// says otherwise, ecCodes cannot compute them either.
type CoordinateError struct {
	GridType string
	Reason   string
}

func (e *CoordinateError) Error() string { return "grib: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *CoordinateError) Detail() string {
	return fmt.Sprintf("no coordinates of a grid of type %s: %s", e.GridType, e.Reason)
}

// A GeometryError says that a geometry map cannot be made into a Grid.
type GeometryError struct {
	Key string // the entry that is missing or wrong
	Msg string
}

func (e *GeometryError) Error() string { return "grib: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *GeometryError) Detail() string {
	return fmt.Sprintf("geometry map: %s: %s", e.Key, e.Msg)
}
