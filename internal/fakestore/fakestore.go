// Package fakestore plays the servers of object stores in tests.
package fakestore

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Store plays the servers of the three object stores, as far as package storage speaks to them. The
// real ones are asked in interop/storage.
type Store struct {
	mu      sync.Mutex
	objects map[string][]byte
	uploads map[string]map[string][]byte // parts by upload and their number or name
	state   int                          // counts changes
	states  map[string]int               // of the objects, for entity tags and generations
	lax     bool
	failing int // number of coming requests that get 503, of the requests that only selects
	only    func(*http.Request) bool
}

// New returns an empty store.
func New() *Store {
	return &Store{objects: make(map[string][]byte), states: make(map[string]int), uploads: make(map[string]map[string][]byte)}
}

// Environment returns the environment variables by which clients of all three stores find the server
// at a URL.
func Environment(url string) map[string]string {
	return map[string]string{
		"AWS_ACCESS_KEY_ID": "user", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_ENDPOINT_URL": url, "AWS_CONFIG_FILE": "/none", "AWS_SHARED_CREDENTIALS_FILE": "/none",
		"STORAGE_EMULATOR_HOST":           strings.TrimPrefix(url, "http://"),
		"AZURE_STORAGE_CONNECTION_STRING": "AccountName=acc;AccountKey=a2V5;BlobEndpoint=" + url + "/acc",
		"NETRC":                           "/none",
	}
}

// Put stores an object, whose name begins with its bucket.
func (s *Store) Put(name string, b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store(name, b)
}

// Remove removes an object.
func (s *Store) Remove(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.objects, name)
}

// PutSilently stores an object under the entity tag that it has.
func (s *Store) PutSilently(name string, b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[name] = b
}

// store is Put under mu.
func (s *Store) store(name string, b []byte) {
	s.state++
	s.objects[name], s.states[name] = b, s.state
}

// Get returns an object, if there is one of that name.
func (s *Store) Get(name string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.objects[name]
	return b, ok
}

// Objects returns the objects by name.
func (s *Store) Objects() map[string][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.objects)
}

// Uploads returns how many uploads in parts were begun and neither completed nor given up.
func (s *Store) Uploads() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.uploads)
}

// Clear removes all objects and uploads.
func (s *Store) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.objects)
	clear(s.states)
	clear(s.uploads)
}

// IgnoreConditions has the conditions of writes not heeded.
func (s *Store) IgnoreConditions() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lax = true
}

// Fail answers the next n requests with status 503. If only is not nil, it counts the requests that only
// selects.
func (s *Store) Fail(n int, only func(*http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failing, s.only = n, only
}

// permits reports whether a write has no condition that is not fulfilled.
func (s *Store) permits(r *http.Request, name string) bool {
	_, there := s.objects[name]
	generation := r.URL.Query().Get("ifGenerationMatch")
	switch {
	case s.lax:
	case r.Header.Get("If-None-Match") == "*", generation == "0":
		return !there
	case r.Header.Get("If-Match") != "":
		return there && r.Header.Get("If-Match") == s.etag(name)
	case generation != "":
		return there && generation == strconv.Itoa(s.states[name])
	}
	return true
}

// ServeHTTP implements http.Handler.
func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING") {
		body = unchunk(body)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failing > 0 && (s.only == nil || s.only(r)) {
		s.failing--
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	q := r.URL.Query()
	path := strings.Trim(strings.TrimPrefix(r.URL.Path, "/acc/"), "/")
	switch {
	case strings.HasPrefix(r.URL.Path, "/upload/") || strings.HasPrefix(r.URL.Path, "/storage/v1/"):
		s.gs(w, r, body)
	case q.Has("uploads") || q.Has("uploadId"):
		s.s3Upload(w, r, path, body)
	case r.Method == http.MethodPut && (q.Get("comp") == "block" || q.Get("comp") == "blocklist"):
		s.azUpload(w, r, path, body)
	case r.Method == http.MethodPut && !s.permits(r, path):
		w.WriteHeader(http.StatusPreconditionFailed)
	case r.Method == http.MethodPut:
		s.store(path, body)
		w.Header().Set("ETag", s.etag(path))
		if strings.HasPrefix(r.URL.Path, "/acc/") {
			w.WriteHeader(http.StatusCreated)
		}
	case r.Method == http.MethodDelete:
		delete(s.objects, path)
		w.WriteHeader(map[bool]int{true: http.StatusAccepted, false: http.StatusNoContent}[strings.HasPrefix(r.URL.Path, "/acc/")])
	case q.Get("comp") == "list" || q.Get("list-type") == "2":
		s.list(w, q.Get("comp") == "list", path, q.Get("prefix"))
	default:
		s.serve(w, r, path)
	}
}

func (s *Store) etag(name string) string { return fmt.Sprintf(`"%d"`, s.states[name]) }

func (s *Store) serve(w http.ResponseWriter, r *http.Request, path string) {
	b, ok := s.objects[path]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if x := r.Header.Get("X-Ms-Range"); x != "" {
		r.Header.Set("Range", x)
	}
	w.Header().Set("ETag", s.etag(path))
	http.ServeContent(w, r, "", time.Now(), bytes.NewReader(b))
}

// unchunk undoes Amazon's form of chunks: SIZE;chunk-signature=... CRLF bytes CRLF.
func unchunk(b []byte) (out []byte) {
	r := bufio.NewReader(bytes.NewReader(b))
	for {
		line, err := r.ReadString('\n')
		size, _, _ := strings.Cut(strings.TrimSpace(line), ";")
		n, parseErr := strconv.ParseInt(size, 16, 64)
		if err != nil || parseErr != nil || n == 0 {
			return out
		}
		chunk := make([]byte, n+2)
		if _, err := io.ReadFull(r, chunk); err != nil {
			return out
		}
		out = append(out, chunk[:n]...)
	}
}

func (s *Store) names(prefix string) (names []string) {
	for name := range s.objects {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (s *Store) list(w http.ResponseWriter, azure bool, bucket, prefix string) {
	var list strings.Builder
	for _, name := range s.names(bucket + "/" + prefix) {
		key, size := strings.TrimPrefix(name, bucket+"/"), len(s.objects[name])
		if azure {
			fmt.Fprintf(&list, "<Blob><Name>%s</Name><Properties><Content-Length>%d</Content-Length></Properties></Blob>", key, size)
		} else {
			fmt.Fprintf(&list, "<Contents><Key>%s</Key><Size>%d</Size></Contents>", key, size)
		}
	}
	if azure {
		fmt.Fprintf(w, "<EnumerationResults><Blobs>%s</Blobs></EnumerationResults>", &list)
	} else {
		fmt.Fprintf(w, "<ListBucketResult>%s</ListBucketResult>", &list)
	}
}

func (s *Store) s3Upload(w http.ResponseWriter, r *http.Request, path string, body []byte) {
	q := r.URL.Query()
	id := q.Get("uploadId")
	switch {
	case q.Has("uploads"):
		id = fmt.Sprint("upload", len(s.uploads))
		s.uploads[id] = make(map[string][]byte)
		fmt.Fprintf(w, "<InitiateMultipartUploadResult><UploadId>%s</UploadId></InitiateMultipartUploadResult>", id)
	case s.uploads[id] == nil: // given up, or completed
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodPut:
		s.uploads[id][q.Get("partNumber")] = body
		w.Header().Set("ETag", `"part"`)
	case r.Method == http.MethodDelete:
		delete(s.uploads, id)
		w.WriteHeader(http.StatusNoContent)
	default:
		var parts struct {
			Part []struct{ PartNumber string }
		}
		_ = xml.Unmarshal(body, &parts)
		var whole []byte
		for _, p := range parts.Part {
			whole = append(whole, s.uploads[id][p.PartNumber]...)
		}
		s.store(path, whole)
		delete(s.uploads, id)
		fmt.Fprint(w, "<CompleteMultipartUploadResult><Bucket>b</Bucket><ETag>x</ETag></CompleteMultipartUploadResult>")
	}
}

func (s *Store) azUpload(w http.ResponseWriter, r *http.Request, path string, body []byte) {
	if s.uploads[path] == nil {
		s.uploads[path] = make(map[string][]byte)
	}
	if id := r.URL.Query().Get("blockid"); id != "" {
		s.uploads[path][id] = body
	} else {
		var list struct{ Latest []string }
		_ = xml.Unmarshal(body, &list)
		var whole []byte
		for _, id := range list.Latest {
			whole = append(whole, s.uploads[path][id]...)
		}
		s.store(path, whole)
		delete(s.uploads, path)
	}
	w.WriteHeader(http.StatusCreated)
}

func (s *Store) gs(w http.ResponseWriter, r *http.Request, body []byte) {
	q := r.URL.Query()
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/") // [upload] storage v1 b BUCKET o
	bucket := parts[len(parts)-2]
	id := q.Get("upload_id")
	switch {
	case q.Get("alt") == "media":
		name, _ := url.PathUnescape(strings.TrimPrefix(r.URL.EscapedPath(), "/storage/v1/b/"))
		name = strings.Replace(name, "/o/", "/", 1)
		b, ok := s.objects[name]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("X-Goog-Generation", strconv.Itoa(s.states[name]))
		w.Write(b)
	case r.Method == http.MethodDelete && id == "" && parts[len(parts)-1] != "o":
		name, _ := url.PathUnescape(strings.TrimPrefix(r.URL.EscapedPath(), "/storage/v1/b/"))
		delete(s.objects, strings.Replace(name, "/o/", "/", 1))
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodGet:
		var items []string
		for _, name := range s.names(bucket + "/" + q.Get("prefix")) {
			items = append(items, fmt.Sprintf(`{"name":%q,"size":"%d"}`, strings.TrimPrefix(name, bucket+"/"), len(s.objects[name])))
		}
		fmt.Fprintf(w, `{"items":[%s]}`, strings.Join(items, ","))
	case q.Get("uploadType") == "media":
		name := bucket + "/" + q.Get("name")
		if !s.permits(r, name) {
			w.WriteHeader(http.StatusPreconditionFailed)
			return
		}
		s.store(name, body)
		fmt.Fprintf(w, `{"generation":"%d"}`, s.states[name])
	case q.Get("uploadType") == "resumable":
		id = bucket + "/" + q.Get("name")
		s.uploads[id] = map[string][]byte{}
		w.Header().Set("Location", "http://"+r.Host+r.URL.Path+"?upload_id="+url.QueryEscape(id))
	case r.Method == http.MethodDelete:
		delete(s.uploads, id)
		w.WriteHeader(499)
	default:
		var first, last int
		var total string
		fmt.Sscanf(r.Header.Get("Content-Range"), "bytes %d-%d/%s", &first, &last, &total)
		whole := s.uploads[id]["all"]
		if first != len(whole) || last-first+1 != len(body) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		whole = append(whole, body...)
		if s.uploads[id]["all"] = whole; total == "*" {
			w.WriteHeader(http.StatusPermanentRedirect)
			return
		}
		s.store(id, whole)
		delete(s.uploads, id)
	}
}
