package storage

import "errors"

// newAZBucket refuses: Azure's library maps memory, which WebAssembly cannot.
func newAZBucket(*Client, string) (Bucket, error) {
	return nil, errors.New("az:// cannot be read by a WebAssembly build")
}
