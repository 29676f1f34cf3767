package storage

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// fakeStore plays the servers of the three object stores, as far as package storage speaks to them.
// The real ones are asked in interop/storage.
type fakeStore struct {
	mu       sync.Mutex
	objects  map[string][]byte
	uploads  map[string]map[string][]byte // parts by upload and their number or name
	state    int                          // counts changes, for entity tags
	failing  int                          // requests to come that get 503, of those that only selects
	only     func(*http.Request) bool
	requests []string
}

func newFakeStore(t *testing.T) (*fakeStore, string) {
	s := &fakeStore{objects: make(map[string][]byte), uploads: make(map[string]map[string][]byte)}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "http://")
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "user", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_ENDPOINT_URL": server.URL, "AWS_CONFIG_FILE": "/none", "AWS_SHARED_CREDENTIALS_FILE": "/none",
		"STORAGE_EMULATOR_HOST":           host,
		"AZURE_STORAGE_CONNECTION_STRING": "AccountName=acc;AccountKey=a2V5;BlobEndpoint=" + server.URL + "/acc",
		"NETRC":                           "/none",
	} {
		t.Setenv(name, value)
	}
	return s, server.URL
}

func (s *fakeStore) put(name string, b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[name] = b
	s.state++
}

func (s *fakeStore) get(name string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.objects[name]
	return b, ok
}

func (s *fakeStore) fail(n int, only func(*http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failing, s.only = n, only
}

func (s *fakeStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING") {
		body = unchunk(body)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r.Method+" "+r.URL.RequestURI())
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
	case r.Method == http.MethodPut:
		s.objects[path] = body
		s.state++
		w.Header().Set("ETag", s.etag())
		if strings.HasPrefix(r.URL.Path, "/acc/") {
			w.WriteHeader(http.StatusCreated)
		}
	case q.Get("comp") == "list" || q.Get("list-type") == "2":
		s.list(w, q.Get("comp") == "list", path, q.Get("prefix"))
	default:
		s.serve(w, r, path)
	}
}

func (s *fakeStore) etag() string { return fmt.Sprintf(`"%d"`, s.state) }

func (s *fakeStore) serve(w http.ResponseWriter, r *http.Request, path string) {
	b, ok := s.objects[path]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if x := r.Header.Get("X-Ms-Range"); x != "" {
		r.Header.Set("Range", x)
	}
	w.Header().Set("ETag", s.etag())
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

func (s *fakeStore) names(prefix string) (names []string) {
	for name := range s.objects {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (s *fakeStore) list(w http.ResponseWriter, azure bool, bucket, prefix string) {
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

func (s *fakeStore) s3Upload(w http.ResponseWriter, r *http.Request, path string, body []byte) {
	q := r.URL.Query()
	id := q.Get("uploadId")
	switch {
	case q.Has("uploads"):
		id = fmt.Sprint("upload", len(s.uploads))
		s.uploads[id] = make(map[string][]byte)
		fmt.Fprintf(w, "<InitiateMultipartUploadResult><UploadId>%s</UploadId></InitiateMultipartUploadResult>", id)
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
		s.objects[path] = whole
		s.state++
		delete(s.uploads, id)
		fmt.Fprint(w, "<CompleteMultipartUploadResult><Bucket>b</Bucket><ETag>x</ETag></CompleteMultipartUploadResult>")
	}
}

func (s *fakeStore) azUpload(w http.ResponseWriter, r *http.Request, path string, body []byte) {
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
		s.objects[path] = whole
		s.state++
		delete(s.uploads, path)
	}
	w.WriteHeader(http.StatusCreated)
}

func (s *fakeStore) gs(w http.ResponseWriter, r *http.Request, body []byte) {
	q := r.URL.Query()
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/") // [upload] storage v1 b BUCKET o
	bucket := parts[len(parts)-2]
	id := q.Get("upload_id")
	switch {
	case r.Method == http.MethodGet:
		var items []string
		for _, name := range s.names(bucket + "/" + q.Get("prefix")) {
			items = append(items, fmt.Sprintf(`{"name":%q,"size":"%d"}`, strings.TrimPrefix(name, bucket+"/"), len(s.objects[name])))
		}
		fmt.Fprintf(w, `{"items":[%s]}`, strings.Join(items, ","))
	case q.Get("uploadType") == "media":
		s.objects[bucket+"/"+q.Get("name")] = body
		s.state++
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
		s.objects[id] = whole
		s.state++
		delete(s.uploads, id)
	}
}
