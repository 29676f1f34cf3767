package serve

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"github.com/tgmconv/tgmconv/zarr"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The answer to S3's ListObjectsV2.
type s3Listing struct {
	XMLName   xml.Name   `xml:"http://s3.amazonaws.com/doc/2006-03-01/ ListBucketResult"`
	Name      string     `xml:"Name"`
	Prefix    string     `xml:"Prefix"`
	Delimiter string     `xml:"Delimiter,omitempty"`
	Count     int        `xml:"KeyCount"`
	MaxKeys   int        `xml:"MaxKeys"`
	Truncated bool       `xml:"IsTruncated"`
	Token     string     `xml:"ContinuationToken,omitempty"`
	NextToken string     `xml:"NextContinuationToken,omitempty"`
	Contents  []s3Object `xml:"Contents"`
	Prefixes  []s3Prefix `xml:"CommonPrefixes"`
}

type s3Object struct {
	Key      string `xml:"Key"`
	Modified string `xml:"LastModified"`
	ETag     string `xml:"ETag,omitempty"`
	Size     int64  `xml:"Size"`
	Class    string `xml:"StorageClass"`
}

type s3Prefix struct {
	Prefix string `xml:"Prefix"`
}

// maxKeys is the number of keys that S3 lists at most in one answer.
const maxKeys = 1000

// listObjects answers ListObjectsV2 for the keys below a prefix. The continuation token is the
// number of keys before the next one: the order of the keys is always the same.
func (h *handler) listObjects(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	list := &s3Listing{
		Prefix: query.Get("prefix"), Delimiter: query.Get("delimiter"), MaxKeys: maxKeys, Token: query.Get("continuation-token"),
	}
	skip, err := keyCount(list.Token, 0)
	if err == nil {
		list.MaxKeys, err = keyCount(query.Get("max-keys"), maxKeys)
	}
	if err != nil {
		http.Error(w, "ListObjectsV2: "+err.Error(), http.StatusBadRequest)
		return
	}
	list.MaxKeys = min(list.MaxKeys, maxKeys)
	if list.Delimiter != "" && list.Delimiter != "/" {
		http.Error(w, `ListObjectsV2: the delimiter must be "/"`, http.StatusNotImplemented)
		return
	}
	walk := &s3Walk{h: h, ctx: r.Context(), list: list, from: skip}
	folder := list.Prefix[:strings.LastIndexByte(list.Prefix, '/')+1]
	if err := walk.below(strings.TrimSuffix(folder, "/")); err != nil && !errors.Is(err, zarr.ErrNotFound) {
		h.fail(w, err)
		return
	}
	if list.Truncated {
		list.NextToken = strconv.Itoa(walk.position)
	}
	w.Header().Set("Content-Type", "application/xml")
	w.Write([]byte(xml.Header))
	xml.NewEncoder(w).Encode(list) // an error here is one of the connection
}

// keyCount reads a number of keys; without a text it is otherwise.
func keyCount(text string, otherwise int) (int, error) {
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is not a number of keys", text)
	}
	return n, nil
}

// An s3Walk fills a listing.
type s3Walk struct {
	h    *handler
	ctx  context.Context
	list *s3Listing
	from int // the position of the first key to list

	position int // of the next key
}

// below adds the keys below a folder that begin with the prefix, until the listing is full.
func (s *s3Walk) below(folder string) error {
	for key, err := range s.h.store.List(s.ctx, folder) {
		if err != nil {
			return err
		}
		inPrefix := strings.HasPrefix(key, s.list.Prefix)
		isFolder := strings.HasSuffix(key, "/")
		switch {
		case !inPrefix && !(isFolder && strings.HasPrefix(s.list.Prefix, key)):
			continue
		case isFolder && s.list.Delimiter == "":
			if err := s.below(strings.TrimSuffix(key, "/")); err != nil {
				return err
			}
		default:
			s.add(key, isFolder)
		}
		if s.list.Truncated {
			return nil
		}
	}
	return nil
}

func (s *s3Walk) add(key string, isFolder bool) {
	if s.position >= s.from && s.list.Count >= s.list.MaxKeys {
		s.list.Truncated = true
		return
	}
	s.position++
	if s.position <= s.from {
		return
	}
	if isFolder {
		s.list.Prefixes = append(s.list.Prefixes, s3Prefix{key})
		s.list.Count++
		return
	}
	info, err := zarr.Stat(s.ctx, s.h.store, key)
	if err != nil {
		return // an absent chunk
	}
	s.list.Contents = append(s.list.Contents, s3Object{
		Key: key, Modified: s.h.began.UTC().Format(time.RFC3339), ETag: info.ETag, Size: info.Size, Class: "STANDARD",
	})
	s.list.Count++
}
