package zarr

import "fmt"

// An UnsupportedError reports a feature of valid Zarr that is not implemented.
type UnsupportedError struct {
	What string
}

func (e *UnsupportedError) Error() string { return "zarr: " + e.Detail() }

// Detail returns the text of the error without the name of the package.
func (e *UnsupportedError) Detail() string { return e.What + " is not supported" }

// An OpaqueError reports an array whose elements have a data type that is not implemented here, such
// as texts. All else of its document is known. It is an [UnsupportedError].
type OpaqueError struct {
	Path     string
	Metadata *ArrayMetadata // which must not be changed
}

func (e *OpaqueError) Error() string { return e.Unwrap().Error() }

// Unwrap returns the UnsupportedError.
func (e *OpaqueError) Unwrap() error {
	return &UnsupportedError{What: fmt.Sprintf("data type %.80q", string(e.Metadata.DataType))}
}
