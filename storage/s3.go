package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"gopkg.in/ini.v1"
)

// s3Bucket is a bucket of a server that speaks Amazon's protocol.
type s3Bucket struct {
	c      *Client
	name   string
	reads  minio.Core // our transport asks again
	writes minio.Core // the library asks again
}

// newS3Bucket finds credentials, region and endpoint as Amazon's tools do. It looks in the
// environment, in the profile of the config files, and at the machine's role. Where it finds
// none, requests are not signed, which is enough for public buckets.
func newS3Bucket(c *Client, name string) (*s3Bucket, error) {
	profile := awsProfile()
	endpoint, secure, err := s3Endpoint(profile)
	if err != nil {
		return nil, err
	}
	region := firstOf(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"), profile["region"])
	if region == "" && profile["endpoint_url"] != "" {
		region = "us-east-1" // else the library asks the server first
	}
	creds := s3Credentials(endpoint, profile)
	lookup := minio.BucketLookupAuto
	if profile["endpoint_url"] != "" {
		lookup = minio.BucketLookupPath
	}
	b := &s3Bucket{c: c, name: name}
	for _, to := range []struct {
		core    *minio.Core
		rt      http.RoundTripper
		retries int
	}{{&b.reads, c.web.client.Transport, 1}, {&b.writes, &steady{c.web.base, c.patience}, 5}} {
		client, err := minio.New(endpoint, &minio.Options{
			Creds: creds, Secure: secure, Transport: to.rt, Region: region, BucketLookup: lookup, MaxRetries: to.retries,
		})
		if err != nil {
			return nil, err
		}
		client.SetAppInfo("tgmconv", "0")
		to.core.Client = client
	}
	return b, nil
}

// awsProfile is the chosen profile of the config file, with AWS_ENDPOINT_URL and its form for S3 as
// endpoint_url.
func awsProfile() map[string]string {
	profile := make(map[string]string)
	home, _ := os.UserHomeDir()
	name := firstOf(os.Getenv("AWS_PROFILE"), os.Getenv("AWS_DEFAULT_PROFILE"), "default")
	for _, f := range []string{
		firstOf(os.Getenv("AWS_CONFIG_FILE"), filepath.Join(home, ".aws", "config")),
		firstOf(os.Getenv("AWS_SHARED_CREDENTIALS_FILE"), filepath.Join(home, ".aws", "credentials")),
	} {
		file, err := ini.Load(f)
		if err != nil {
			continue
		}
		for _, section := range []string{"profile " + name, name} {
			if s, err := file.GetSection(section); err == nil {
				for key, value := range s.KeysHash() {
					profile[key] = value
				}
			}
		}
	}
	if url := firstOf(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL")); url != "" {
		profile["endpoint_url"] = url
	}
	return profile
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// s3Endpoint is the host of the server, and whether it is spoken to under TLS.
func s3Endpoint(profile map[string]string) (host string, secure bool, err error) {
	address := profile["endpoint_url"]
	if address == "" {
		return "s3.amazonaws.com", true, nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", false, fmt.Errorf("the S3 endpoint is %q, expected http://HOST or https://HOST", address)
	}
	return u.Host, u.Scheme == "https", nil
}

// s3Credentials come from the environment, the config files, or the machine's role, which only
// Amazon's machines have.
func s3Credentials(endpoint string, profile map[string]string) *credentials.Credentials {
	if os.Getenv("AWS_NO_SIGN_REQUEST") != "" {
		return credentials.NewStaticV4("", "", "")
	}
	chain := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
	onAmazon := strings.HasSuffix(endpoint, "amazonaws.com")
	role := os.Getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") != "" || os.Getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI") != "" ||
		os.Getenv("AWS_WEB_IDENTITY_TOKEN_FILE") != ""
	if role || onAmazon && os.Getenv("AWS_EC2_METADATA_DISABLED") != "true" && onEC2() {
		chain = append(chain, &credentials.IAM{})
	}
	return credentials.NewChainCredentials(chain)
}

// onEC2 reports whether this is a virtual machine of Amazon's. Other machines need not wait for an
// address that does not answer.
var onEC2 = sync.OnceValue(func() bool {
	for _, name := range []string{"/sys/devices/virtual/dmi/id/sys_vendor", "/sys/devices/virtual/dmi/id/bios_vendor", "/sys/hypervisor/uuid"} {
		b, err := os.ReadFile(name)
		if text := strings.ToLower(string(b)); err == nil && (strings.HasPrefix(text, "amazon") || strings.HasPrefix(text, "ec2")) {
			return true
		}
	}
	return false
})

func (b *s3Bucket) location(name string) string { return "s3://" + b.name + "/" + name }

// Open implements Bucket.
func (b *s3Bucket) Open(ctx context.Context, name string) (Blob, error) {
	return b.c.objects.get(b.location(name), func() (Blob, bool, error) {
		blob, err := openRanges(ctx, b.c, &s3Object{b, name})
		return blob, false, err
	})
}

// s3Object reads an object by ranges.
type s3Object struct {
	bucket *s3Bucket
	name   string
}

// get implements ranged.
func (o *s3Object) get(ctx context.Context, off, n int64, v version) (*answer, error) {
	var opts minio.GetObjectOptions
	opts.Set("Range", fmt.Sprintf("bytes=%d-%d", off, off+n-1))
	opts.Set("Accept-Encoding", "identity")
	if v.etag != "" {
		opts.Set("If-Match", v.etag)
	}
	body, _, header, err := o.bucket.reads.GetObject(ctx, o.bucket.name, o.name, opts)
	if err != nil {
		if minio.ToErrorResponse(err).Code == "InvalidRange" && off == 0 {
			return &answer{body: http.NoBody}, nil // an empty object
		}
		return nil, s3Error(err)
	}
	// The library's errors have other statuses.
	status := http.StatusOK
	if header.Get("Content-Range") != "" {
		status = http.StatusPartialContent
	}
	a, err := answerOf(&http.Response{StatusCode: status, Header: header, Body: body}, off, n, v)
	if err != nil {
		body.Close()
	}
	return a, err
}

// s3Error is an error of the library in our words.
func s3Error(err error) error {
	var r minio.ErrorResponse
	if !errors.As(err, &r) || r.StatusCode == 0 {
		return cause(context.Background(), err)
	}
	found := s3Found(&r)
	switch {
	case r.StatusCode == http.StatusPreconditionFailed, r.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		return errChanged // or it has become shorter
	case r.StatusCode == http.StatusNotFound:
		return &StatusError{found, "the object", fs.ErrNotExist}
	case r.StatusCode == http.StatusForbidden || r.StatusCode == http.StatusUnauthorized:
		return &StatusError{found, "the object", fs.ErrPermission}
	}
	return &StatusError{found, "the object", nil}
}

// s3Found is a server's answer: its status, and the explanation. For answers that are not of the
// protocol, such as the pages of proxies, the library gives the status and the page.
func s3Found(r *minio.ErrorResponse) string {
	status := strconv.Itoa(r.StatusCode)
	if strings.HasPrefix(r.Code, status) {
		return r.Code
	}
	found := status
	for _, text := range []string{r.Code, r.Message} {
		if text != "" {
			found += " " + strings.TrimSuffix(text, ".")
		}
	}
	return found
}

// List implements Bucket.
func (b *s3Bucket) List(ctx context.Context, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		list := b.reads.Client.ListObjects(ctx, b.name, minio.ListObjectsOptions{Prefix: prefix, Recursive: true})
		defer func() {
			cancel()
			for range list {
			}
		}()
		for o := range list {
			if o.Err != nil {
				yield(Entry{}, located(b.location(prefix), s3Error(o.Err)))
				return
			}
			if !yield(Entry{o.Key, o.Size, o.LastModified, strings.Trim(o.ETag, `"`)}, nil) {
				return
			}
		}
	}
}

// Create implements Bucket.
func (b *s3Bucket) Create(ctx context.Context, name string) (Writer, error) {
	if name == "" {
		return nil, fmt.Errorf("%s: no object is named", b.location(name))
	}
	return newUpload(ctx, b.c, b.location(name), &s3Upload{bucket: b, name: name}), nil
}

// Remove implements Remover.
func (b *s3Bucket) Remove(ctx context.Context, name string) error {
	defer b.c.objects.forget(b.location(name))
	if err := b.writes.Client.RemoveObject(ctx, b.name, name, minio.RemoveObjectOptions{}); err != nil {
		return located(b.location(name), s3WriteError(err))
	}
	return nil
}

// s3Upload stores an object by multipart upload.
type s3Upload struct {
	bucket *s3Bucket
	name   string
	id     string

	mu    sync.Mutex
	parts []minio.CompletePart
}

var octets = minio.PutObjectOptions{ContentType: "application/octet-stream"}

func (u *s3Upload) parallel() int { return rangesInFlight }

func (u *s3Upload) whole(ctx context.Context, b []byte) error {
	_, err := u.bucket.writes.Client.PutObject(ctx, u.bucket.name, u.name, bytes.NewReader(b), int64(len(b)), octets)
	return s3WriteError(err)
}

func (u *s3Upload) begin(ctx context.Context) (err error) {
	u.id, err = u.bucket.writes.NewMultipartUpload(ctx, u.bucket.name, u.name, octets)
	return s3WriteError(err)
}

func (u *s3Upload) part(ctx context.Context, n int, b []byte) error {
	p, err := u.bucket.writes.PutObjectPart(ctx, u.bucket.name, u.name, u.id, n+1, bytes.NewReader(b), int64(len(b)), minio.PutObjectPartOptions{})
	if err != nil {
		return s3WriteError(err)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	for len(u.parts) <= n {
		u.parts = append(u.parts, minio.CompletePart{})
	}
	u.parts[n] = minio.CompletePart{PartNumber: n + 1, ETag: p.ETag, ChecksumCRC32C: p.ChecksumCRC32C}
	return nil
}

func (u *s3Upload) complete(ctx context.Context, _ int) error {
	_, err := u.bucket.writes.CompleteMultipartUpload(ctx, u.bucket.name, u.name, u.id, u.parts, octets)
	return s3WriteError(err)
}

func (u *s3Upload) abort(ctx context.Context) error {
	return u.bucket.writes.AbortMultipartUpload(ctx, u.bucket.name, u.name, u.id)
}

func s3WriteError(err error) error {
	if err == nil {
		return nil
	}
	var r minio.ErrorResponse
	if errors.As(err, &r) && r.StatusCode == http.StatusPreconditionFailed {
		return &StatusError{s3Found(&r), "to store the object", ErrChanged}
	}
	err = s3Error(err)
	var status *StatusError
	if errors.As(err, &status) {
		return &StatusError{status.Found, "to store the object", status.Err}
	}
	return err
}
