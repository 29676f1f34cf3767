//go:build !wasm

package storage

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
)

// fetch implements conditional.
func (b *azBucket) fetch(ctx context.Context, name string) (data []byte, state string, err error) {
	client, err := b.client(name, attempts)
	if err != nil {
		return nil, "", err
	}
	got, err := client.DownloadStream(ctx, nil)
	if err != nil {
		return nil, "", azError(err, "the blob")
	}
	defer got.Body.Close()
	if got.ETag != nil {
		state = string(*got.ETag)
	}
	data, err = io.ReadAll(io.LimitReader(got.Body, maxLockText))
	return data, state, err
}

// putIf implements conditional.
func (b *azBucket) putIf(ctx context.Context, name string, data []byte, state string) (string, error) {
	client, err := b.client(name, attempts)
	if err != nil {
		return "", err
	}
	conditions := &blob.ModifiedAccessConditions{}
	if etag := azcore.ETag(state); state == "" {
		any := azcore.ETagAny
		conditions.IfNoneMatch = &any
	} else {
		conditions.IfMatch = &etag
	}
	stored, err := client.Upload(ctx, seekable(data), &blockblob.UploadOptions{AccessConditions: &blob.AccessConditions{ModifiedAccessConditions: conditions}})
	var r *azcore.ResponseError
	if errors.As(err, &r) && r.StatusCode == http.StatusConflict {
		return "", errChanged // there is a blob
	}
	if err = azWriteError(err); err != nil {
		if state != "" && errors.Is(err, fs.ErrNotExist) {
			err = errChanged
		}
		return "", err
	}
	if stored.ETag != nil {
		return string(*stored.ETag), nil
	}
	return "", nil
}
