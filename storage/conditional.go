package storage

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"
)

// fetch implements conditional.
func (b *s3Bucket) fetch(ctx context.Context, name string) (data []byte, state string, err error) {
	a, err := (&s3Object{b, name}).get(ctx, 0, maxLockText, version{})
	if err != nil {
		return nil, "", err
	}
	defer a.body.Close()
	data, err = io.ReadAll(io.LimitReader(a.body, maxLockText))
	return data, strings.Trim(a.version.etag, `"`), err
}

// putIf implements conditional.
func (b *s3Bucket) putIf(ctx context.Context, name string, data []byte, state string) (string, error) {
	opts := octets
	if state == "" {
		opts.SetMatchETagExcept("*")
	} else {
		opts.SetMatchETag(state)
	}
	info, err := b.writes.Client.PutObject(ctx, b.name, name, bytes.NewReader(data), int64(len(data)), opts)
	var r minio.ErrorResponse
	if errors.As(err, &r) && r.StatusCode == http.StatusConflict || state != "" && errors.As(err, &r) && r.StatusCode == http.StatusNotFound {
		return "", errChanged // another writes at the same time, or has removed it
	}
	return strings.Trim(info.ETag, `"`), s3WriteError(err)
}

// fetch implements conditional. The state is the generation.
func (b *gsBucket) fetch(ctx context.Context, name string) (data []byte, state string, err error) {
	address := b.host + "/storage/v1/b/" + url.PathEscape(b.name) + "/o/" + url.PathEscape(name) + "?alt=media"
	resp, err := b.send(ctx, http.MethodGet, address, nil, nil, "the object")
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	data, err = io.ReadAll(io.LimitReader(resp.Body, maxLockText))
	return data, resp.Header.Get("X-Goog-Generation"), err
}

// putIf implements conditional.
func (b *gsBucket) putIf(ctx context.Context, name string, data []byte, state string) (string, error) {
	if state == "" {
		state = "0" // there is none
	}
	u := &gsUpload{bucket: b, name: name}
	var stored struct{ Generation string }
	err := again(ctx, func() error {
		resp, err := b.send(ctx, http.MethodPost, u.address("media")+"&ifGenerationMatch="+url.QueryEscape(state), data, octetHeader,
			"to store the object", http.StatusPreconditionFailed, http.StatusConflict)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode >= 400 {
			return errChanged
		}
		return json.NewDecoder(io.LimitReader(resp.Body, maxLockText)).Decode(&stored)
	})
	return stored.Generation, err
}
