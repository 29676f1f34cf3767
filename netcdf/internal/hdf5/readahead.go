package hdf5

const (
	aheadBytes = 256 << 10 // small chunks are read at once, up to this many bytes
	aheadGap   = 4 << 10   // with at most this between two
)

// neighbours returns how many of the chunks lie close enough in the file for a single read. It
// counts from the first on, at most limit.
func neighbours(refs []chunkRef, limit int) int {
	if len(refs) == 0 {
		return 0
	}
	n := 1
	for n < min(len(refs), limit) {
		end := refs[n-1].addr + refs[n-1].size
		if a := refs[n]; a.addr < end || end < refs[n-1].addr || a.addr-end > aheadGap || a.size > aheadBytes || a.addr+a.size-refs[0].addr > aheadBytes {
			break
		}
		n++
	}
	return n
}

// readAhead reads chunks that are neighbours into s. An error is left to reading them one by one.
func (r *chunkRead) readAhead(refs []chunkRef, s *scratch) {
	s.ahead = s.ahead[:0]
	last := refs[len(refs)-1]
	if len(refs) == 1 || len(r.d.Filters) == 0 {
		return
	}
	n := last.addr + last.size - refs[0].addr
	s.aheadAt = refs[0].addr
	s.ahead = room(s.ahead, int(n))
	if r.d.f.src.ReadFull("chunks of "+r.d.what, s.ahead, clamp(s.aheadAt)) != nil {
		s.ahead = s.ahead[:0]
	}
}

// stored returns the bytes of a chunk as they are in the file.
func (d *Dataset) stored(what string, addr, size uint64, s *scratch) ([]byte, error) {
	if from := addr - s.aheadAt; len(s.ahead) > 0 && addr >= s.aheadAt && from+size <= uint64(len(s.ahead)) {
		return s.ahead[from : from+size : from+size], nil
	}
	if err := d.f.src.Check(what, clamp(addr), clamp(size)); err != nil {
		return nil, err
	}
	s.raw = room(s.raw, int(size))
	return s.raw, d.f.src.ReadFull(what, s.raw, int64(addr))
}
