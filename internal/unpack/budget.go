package unpack

import (
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"strconv"
	"sync"
	"sync/atomic"
)

const (
	// FreeBytes is the size to which a file may unpack regardless of its own.
	FreeBytes = 1 << 30
	// Expansion is how many times its own size a file may unpack to, beyond FreeBytes; deflate reaches 1032.
	Expansion = 1100
	// MaxBytes is the largest size of one unpacked file, unless Client.MaxBytes says otherwise.
	MaxBytes = 64 << 30
	// maxDepth is how many times a file may be compressed or put in an archive.
	maxDepth = 6
	// memberBytes is how many unpacked bytes an entry of an archive counts as, with no more data
	// than that. nameExpansion is the same for a byte of its name, which is kept in memory.
	memberBytes   = 256 << 10
	nameExpansion = 16
)

// A budget bounds the output of one file: the bytes of all its layers and members together, and the number of
// members. Bytes that are unpacked again count once. All nodes of a file share it.
type budget struct {
	client *Client
	etag   string
	size   atomic.Int64 // of the file; of a stream, the bytes read of it so far

	mu      sync.Mutex
	used    int64
	members int
	reached map[uint64]int64 // bytes of each layer and member, by the hash of the node's key
}

// keys hashes the keys of nodes. A collision lets two members count as the larger one.
var keys = maphash.MakeSeed()

// budgetOf returns the budget of the file at a location in the state of the entity tag.
func (c *Client) budgetOf(location, etag string, size int64) *budget {
	fresh := newBudget(c, etag, size)
	known, loaded := c.budgets.LoadOrStore(location, fresh)
	if !loaded || known.(*budget).etag == etag {
		return known.(*budget)
	}
	c.budgets.Store(location, fresh) // the file has changed
	return fresh
}

func newBudget(c *Client, etag string, size int64) *budget {
	b := &budget{client: c, etag: etag, reached: make(map[uint64]int64)}
	b.size.Store(size)
	return b
}

// limit is how many bytes the file may unpack to.
func (b *budget) limit() int64 {
	if b.client.MaxBytes > 0 {
		return b.client.MaxBytes
	}
	return max(FreeBytes, Expansion*min(b.size.Load(), math.MaxInt64/Expansion))
}

// reach counts the bytes that are unpacked of the node of a key.
func (b *budget) reach(key uint64, bytes int64) error {
	single := b.single()
	b.mu.Lock()
	defer b.mu.Unlock()
	if more := bytes - max(b.reached[key], memberBytes); more > 0 {
		b.reached[key] = bytes
		b.used += more
	}
	limit := b.limit()
	if b.used <= limit && bytes <= single {
		return nil
	}
	return &TooLargeError{Size: b.size.Load(), Limit: min(limit, single), Members: b.members}
}

// allows reports an error if a member of the claimed size goes beyond the budget.
func (b *budget) allows(claimed int64) error {
	single := b.single()
	b.mu.Lock()
	defer b.mu.Unlock()
	if limit := min(b.limit(), single); claimed > limit {
		return &TooLargeError{Size: b.size.Load(), Limit: limit, Members: b.members}
	}
	return nil
}

// single is how many bytes one layer or member may have.
func (b *budget) single() int64 {
	if b.client.MaxBytes > 0 {
		return b.client.MaxBytes
	}
	return MaxBytes
}

// A listing counts the entries of the archive that a node with a key is.
type listing struct {
	budget *budget
	key    string
}

// count counts the entry with a number, from 0, and a name: each once, also where the archive is
// listed again.
func (l listing) count(number int, name string) error {
	b := l.budget
	b.mu.Lock()
	if list := maphash.String(keys, l.key+"\x00list"); int64(number) >= b.reached[list] {
		b.reached[list] = int64(number) + 1
		b.used += memberBytes + nameExpansion*int64(len(name))
		b.members++
	}
	b.mu.Unlock()
	return b.reach(0, 0)
}

// passOver counts entries that are skipped by their headers, to come to the next one.
func (l listing) passOver(entries int) error {
	b := l.budget
	b.mu.Lock()
	if member := maphash.String(keys, l.key+"\x00"+strconv.Itoa(entries)); b.reached[member] == 0 {
		b.reached[member] = int64(entries) * blockSize
		b.used += int64(entries) * blockSize
	}
	b.mu.Unlock()
	return b.reach(0, 0)
}

// directoryBytes is the size that the list of members in an archive may have: 512 bytes a member.
func (l listing) directoryBytes() int64 { return l.budget.limit() / memberBytes * 512 }

// tooLarge is the error of a list that is larger.
func (l listing) tooLarge() error {
	b := l.budget
	return &TooLargeError{Size: b.size.Load(), Limit: b.limit(), Members: int(b.limit() / memberBytes)}
}

// reader reads a stream of a node as far as the budget allows.
func (b *budget) reader(key string, r io.ReadCloser) io.ReadCloser {
	return &budgeted{r, b, maphash.String(keys, key), 0}
}

type budgeted struct {
	io.ReadCloser
	budget *budget
	key    uint64
	read   int64
}

// Read implements io.Reader.
func (r *budgeted) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	r.read += int64(n)
	if spent := r.budget.reach(r.key, r.read); spent != nil {
		return 0, spent
	}
	return n, err
}

// counted counts the bytes read of a stream whose size is not known.
type counted struct {
	io.Reader
	budget *budget
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.budget.size.Add(int64(n))
	return n, err
}

// A TooLargeError reports a file that unpacks to more than the limit, or has too many members.
type TooLargeError struct {
	Size    int64 // of the file as it is
	Limit   int64 // bytes that it may unpack to; each member counts as 256 KiB or more
	Members int   // that were listed so far
}

func (e *TooLargeError) Error() string {
	if e.Members > 1 {
		return fmt.Sprintf("a file of %d bytes unpacks to more than %d bytes with its members (%d so far, each counts as %d or more)",
			e.Size, e.Limit, e.Members, memberBytes)
	}
	return fmt.Sprintf("a file of %d bytes unpacks to more than %d bytes", e.Size, e.Limit)
}
