package storage

import (
	"fmt"
	"sync"
)

// stores are the buckets of object stores that a client has used.
type stores struct {
	mu      sync.Mutex
	buckets map[string]Bucket // by scheme and name
}

// bucket returns a bucket of an object store. Credentials are looked for at its first use.
func (s *stores) bucket(c *Client, scheme, name string) (Bucket, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := scheme + "://" + name
	if b := s.buckets[key]; b != nil {
		return b, nil
	}
	var b Bucket
	var err error
	switch scheme {
	case "s3":
		b, err = newS3Bucket(c, name)
	case "gs":
		b, err = newGSBucket(c, name)
	case "az":
		b, err = newAZBucket(c, name)
	default:
		err = fmt.Errorf("%s is not an object store", scheme)
	}
	if err != nil {
		return nil, err
	}
	if s.buckets == nil {
		s.buckets = make(map[string]Bucket)
	}
	s.buckets[key] = b
	return b, nil
}
