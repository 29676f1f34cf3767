package unpack

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/storage"
)

// isTar reports whether a file begins with the header of a member. The header has the sum of its bytes, with
// its own bytes taken as blanks (POSIX.1 ustar; older archives have no other mark).
func isTar(head []byte) bool {
	const at, length = 148, 8
	if len(head) < blockSize {
		return false
	}
	field := strings.Trim(string(head[at:at+length]), " \x00")
	want, err := strconv.ParseUint(field, 8, 32)
	if err != nil {
		return false
	}
	sum := uint64(0)
	for i, b := range head {
		if i >= at && i < at+length {
			b = ' '
		}
		sum += uint64(b)
	}
	return sum == want && !bytes.HasPrefix(head, []byte{0})
}

// readTar reads the headers of all members, passing over their data.
func readTar(ctx context.Context, blob storage.Blob, list listing) (*archive, error) {
	section := io.NewSectionReader(storage.ReaderAt(ctx, blob), 0, blob.Size())
	r := tar.NewReader(section)
	var members []member
	for i := 0; ; i++ {
		h, err := r.Next()
		if err == io.EOF {
			return newArchive(blob, members), nil
		}
		if err != nil {
			return nil, fmt.Errorf("entry %d of a .tar archive: %w", i, err)
		}
		if err := list.count(i, h.Name); err != nil {
			return nil, err
		}
		name := cleanName(h.Name)
		if name == "" || h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeGNUSparse {
			continue
		}
		at, err := section.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, err
		}
		members = append(members, member{
			name: name, packed: min(h.Size, blob.Size()), claimed: h.Size, inPlace: !sparse(h),
			offset: func() (int64, error) { return at, nil },
			open:   func(ctx context.Context, a storage.Blob) (io.ReadCloser, error) { return openTar(ctx, a, i, list) },
		})
	}
}

// sparse reports whether the data of a member are not all there are in the file.
func sparse(h *tar.Header) bool {
	if h.Typeflag == tar.TypeGNUSparse {
		return true
	}
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return false
}

// openTar reads the member that has a number. The headers before it are read again.
func openTar(ctx context.Context, blob storage.Blob, number int, list listing) (io.ReadCloser, error) {
	if err := list.passOver(number); err != nil {
		return nil, err
	}
	r := tar.NewReader(io.NewSectionReader(storage.ReaderAt(ctx, blob), 0, blob.Size()))
	for range number + 1 {
		if _, err := r.Next(); err != nil {
			return nil, err
		}
	}
	return io.NopCloser(r), nil
}
