//go:build !wasm

package storage

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/sas"
)

// azBucket is a container of Azure's blob storage.
//
// The library's package for containers would list them, but with it come Arrow and 12 MB of binary
// (azblob 1.8.3), so the list is asked for in list.
type azBucket struct {
	c       *Client
	name    string
	account *azAccount
}

// newAZBucket returns a container, with the account where the location has it: CONTAINER@ACCOUNT, or
// CONTAINER@ACCOUNT.dfs.core.windows.net.
func newAZBucket(c *Client, name string) (Bucket, error) {
	account, err := findAZAccount()
	if err != nil {
		return nil, err
	}
	name, host, _ := strings.Cut(name, "@")
	if of, _, _ := strings.Cut(host, "."); of != "" && !account.is(of) {
		return nil, fmt.Errorf("the location is of the account %s, and the environment has the credentials of %s", of, account.endpoint)
	}
	return &azBucket{c, name, account}, nil
}

// azAccount is an account with its credentials.
type azAccount struct {
	endpoint string                    // "https://ACCOUNT.blob.core.windows.net"
	key      *blob.SharedKeyCredential // nil if there is none
	token    string                    // a shared access signature, the query of an address
}

// is reports whether the account has a name. The name is the first part of its host, or of an emulator the last
// of its path.
func (a *azAccount) is(name string) bool {
	u, err := url.Parse(a.endpoint)
	return err == nil && (strings.HasPrefix(u.Host, name+".") || strings.HasSuffix(strings.TrimSuffix(u.Path, "/"), "/"+name))
}

// findAZAccount reads AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_ACCOUNT with
// AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN, or nothing for public containers.
func findAZAccount() (*azAccount, error) {
	settings := map[string]string{
		"AccountName":           firstOf(os.Getenv("AZURE_STORAGE_ACCOUNT"), os.Getenv("AZURE_STORAGE_ACCOUNT_NAME")),
		"AccountKey":            firstOf(os.Getenv("AZURE_STORAGE_KEY"), os.Getenv("AZURE_STORAGE_ACCOUNT_KEY")),
		"SharedAccessSignature": os.Getenv("AZURE_STORAGE_SAS_TOKEN"),
		"BlobEndpoint":          os.Getenv("AZURE_STORAGE_BLOB_ENDPOINT"),
	}
	if text := os.Getenv("AZURE_STORAGE_CONNECTION_STRING"); text != "" {
		settings = make(map[string]string)
		for part := range strings.SplitSeq(text, ";") {
			key, value, _ := strings.Cut(part, "=")
			settings[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	a := &azAccount{endpoint: strings.TrimRight(settings["BlobEndpoint"], "/"), token: strings.TrimPrefix(settings["SharedAccessSignature"], "?")}
	name := settings["AccountName"]
	if a.endpoint == "" {
		if name == "" {
			return nil, errors.New("no account is named, expected AZURE_STORAGE_CONNECTION_STRING or AZURE_STORAGE_ACCOUNT")
		}
		a.endpoint = firstOf(settings["DefaultEndpointsProtocol"], "https") + "://" + name + ".blob." + firstOf(settings["EndpointSuffix"], "core.windows.net")
	}
	if key := settings["AccountKey"]; key != "" {
		var err error
		if a.key, err = blob.NewSharedKeyCredential(name, key); err != nil {
			return nil, fmt.Errorf("the key of the account %s: %w", name, err)
		}
	}
	return a, nil
}

// client is a client of a blob. The library asks again up to retries times; -1 leaves that to
// our transport.
func (b *azBucket) client(name string, retries int32) (*blockblob.Client, error) {
	opts := &blockblob.ClientOptions{ClientOptions: azcore.ClientOptions{
		Transport: b.c.web.client, Retry: policy.RetryOptions{MaxRetries: retries, RetryDelay: firstPause},
		InsecureAllowCredentialWithHTTP: strings.HasPrefix(b.account.endpoint, "http://"), // as the user has it
	}}
	address := b.account.endpoint + "/" + url.PathEscape(b.name) + "/" + escapeKey(name)
	if b.account.key != nil {
		return blockblob.NewClientWithSharedKeyCredential(address, b.account.key, opts)
	}
	if b.account.token != "" {
		address += "?" + b.account.token
	}
	return blockblob.NewClientWithNoCredential(address, opts)
}

func (b *azBucket) location(name string) string { return "az://" + b.name + "/" + name }

// Open implements Bucket.
func (b *azBucket) Open(ctx context.Context, name string) (Blob, error) {
	return b.c.objects.get(b.location(name), func() (Blob, bool, error) {
		client, err := b.client(name, -1)
		if err != nil {
			return nil, false, err
		}
		blob, err := openRanges(ctx, b.c, azObject{client})
		return blob, false, err
	})
}

// azObject reads a blob by ranges.
type azObject struct{ client *blockblob.Client }

// get implements ranged.
func (o azObject) get(ctx context.Context, off, n int64, v version) (*answer, error) {
	opts := &blob.DownloadStreamOptions{Range: blob.HTTPRange{Offset: off, Count: n}}
	if v.etag != "" {
		etag := azcore.ETag(v.etag)
		opts.AccessConditions = &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfMatch: &etag}}
	}
	got, err := o.client.DownloadStream(ctx, opts)
	if err != nil {
		var status *azcore.ResponseError
		if errors.As(err, &status) && status.StatusCode == http.StatusRequestedRangeNotSatisfiable && off == 0 {
			return &answer{body: http.NoBody}, nil // an empty blob
		}
		return nil, azError(err, "the blob")
	}
	header := make(http.Header)
	for name, value := range map[string]*string{"Content-Range": got.ContentRange, "Etag": (*string)(got.ETag)} {
		if value != nil {
			header.Set(name, *value)
		}
	}
	if got.LastModified != nil {
		header.Set("Last-Modified", got.LastModified.UTC().Format(http.TimeFormat))
	}
	status := http.StatusPartialContent
	if got.ContentRange == nil {
		status = http.StatusOK
	}
	a, err := answerOf(&http.Response{StatusCode: status, Header: header, Body: got.Body}, off, n, v)
	if err != nil {
		got.Body.Close()
	}
	return a, err
}

// azError is an error of the library in our words.
func azError(err error, expected string) error {
	var r *azcore.ResponseError
	if !errors.As(err, &r) {
		return cause(context.Background(), err)
	}
	found := &StatusError{Found: strings.TrimSpace(strconv.Itoa(r.StatusCode) + " " + r.ErrorCode), Expected: expected}
	switch r.StatusCode {
	case http.StatusPreconditionFailed, http.StatusRequestedRangeNotSatisfiable:
		return errChanged // or it has become shorter
	case http.StatusNotFound:
		found.Err = fs.ErrNotExist
	case http.StatusForbidden, http.StatusUnauthorized:
		found.Err = fs.ErrPermission
	}
	return found
}

// List implements Bucket.
func (b *azBucket) List(ctx context.Context, prefix string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for marker := ""; ; {
			page, err := b.page(ctx, prefix, marker)
			if err != nil {
				yield(Entry{}, located(b.location(prefix), err))
				return
			}
			for _, item := range page.Blobs {
				modified, _ := http.ParseTime(item.Properties.Modified)
				if !yield(Entry{item.Name, item.Properties.Length, modified, strings.Trim(item.Properties.ETag, `"`)}, nil) {
					return
				}
			}
			if marker = page.NextMarker; marker == "" {
				return
			}
		}
	}
}

// azPage is an answer of List Blobs.
type azPage struct {
	Blobs []struct {
		Name       string
		Properties struct {
			Length   int64  `xml:"Content-Length"`
			Modified string `xml:"Last-Modified"`
			ETag     string `xml:"Etag"`
		}
	} `xml:"Blobs>Blob"`
	NextMarker string
}

// page asks for a page of the list, under a signature that permits only that.
func (b *azBucket) page(ctx context.Context, prefix, marker string) (*azPage, error) {
	token := b.account.token
	if b.account.key != nil {
		permissions := sas.ContainerPermissions{List: true}
		signed, err := sas.BlobSignatureValues{
			Protocol: sas.ProtocolHTTPSandHTTP, ExpiryTime: time.Now().UTC().Add(time.Hour), Permissions: permissions.String(), ContainerName: b.name,
		}.SignWithSharedKey(b.account.key)
		if err != nil {
			return nil, err
		}
		token = signed.Encode()
	}
	query := url.Values{"restype": {"container"}, "comp": {"list"}, "prefix": {prefix}}
	if marker != "" {
		query.Set("marker", marker)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.account.endpoint+"/"+url.PathEscape(b.name)+"?"+query.Encode()+"&"+token, nil)
	if err != nil {
		return nil, cause(ctx, err)
	}
	req.Header.Set("X-Ms-Version", "2021-12-02")
	resp, err := b.c.web.client.Do(req)
	if err != nil {
		return nil, cause(ctx, err)
	}
	defer resp.Body.Close()
	if err := statusError(resp, "a list"); err != nil {
		return nil, err
	}
	page := new(azPage)
	if err := xml.NewDecoder(resp.Body).Decode(page); err != nil {
		return nil, fmt.Errorf("the list of blobs: %w", err)
	}
	return page, nil
}

// Create implements Bucket.
func (b *azBucket) Create(ctx context.Context, name string) (Writer, error) {
	if name == "" {
		return nil, fmt.Errorf("%s: no blob is named", b.location(name))
	}
	client, err := b.client(name, attempts)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.location(name), err)
	}
	return newUpload(ctx, b.c, b.location(name), &azUpload{client}), nil
}

// Remove implements Remover.
func (b *azBucket) Remove(ctx context.Context, name string) error {
	defer b.c.objects.forget(b.location(name))
	client, err := b.client(name, attempts)
	if err == nil {
		_, err = client.Delete(ctx, nil)
	}
	if err == nil {
		return nil
	}
	if err = azError(err, "to remove the blob"); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return located(b.location(name), err)
}

// azUpload stores a blob in blocks. The service drops blocks that are never committed.
type azUpload struct{ client *blockblob.Client }

func (u *azUpload) parallel() int { return rangesInFlight }

// blockID names block n; all names must be equally long.
func blockID(n int) string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "tgmconv-%08d", n))
}

func (u *azUpload) whole(ctx context.Context, b []byte) error {
	_, err := u.client.Upload(ctx, seekable(b), nil)
	return azWriteError(err)
}

func (u *azUpload) begin(context.Context) error { return nil }

func (u *azUpload) part(ctx context.Context, n int, b []byte) error {
	_, err := u.client.StageBlock(ctx, blockID(n), seekable(b), nil)
	return azWriteError(err)
}

func (u *azUpload) complete(ctx context.Context, parts int) error {
	ids := make([]string, parts)
	for i := range ids {
		ids[i] = blockID(i)
	}
	_, err := u.client.CommitBlockList(ctx, ids, nil)
	return azWriteError(err)
}

func (u *azUpload) abort(context.Context) error { return nil }

func azWriteError(err error) error {
	if err == nil {
		return nil
	}
	return azError(err, "to store the blob")
}

type seekCloser struct{ io.ReadSeeker }

func (seekCloser) Close() error { return nil }

func seekable(b []byte) io.ReadSeekCloser { return seekCloser{bytes.NewReader(b)} }
