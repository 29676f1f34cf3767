package serve

import (
	"github.com/tgmconv/tgmconv/zarr"
	"net/http"
	"strconv"
	"strings"
)

// requestedRange is the single range that the request asks for. A Range header that is wrong, asks for
// several ranges, or is made for another state of the value (If-Range) counts as none, as RFC 9110 section
// 14.2 allows.
func requestedRange(r *http.Request, tag string) zarr.Range {
	if condition := r.Header.Get("If-Range"); condition != "" && (condition != tag || strings.HasPrefix(tag, "W/")) {
		return zarr.Range{}
	}
	selected, ok := parseRange(r.Header.Get("Range"))
	if !ok {
		return zarr.Range{}
	}
	return selected
}

// parseRange reads a Range header of one byte range.
func parseRange(header string) (zarr.Range, bool) {
	unit, set, ok := strings.Cut(header, "=")
	if !ok || !strings.EqualFold(unit, "bytes") {
		return zarr.Range{}, false
	}
	first, last, ok := strings.Cut(strings.Trim(set, " \t"), "-")
	if !ok {
		return zarr.Range{}, false
	}
	if first == "" {
		n, ok := parsePosition(last)
		return zarr.Suffix(n), ok
	}
	start, ok := parsePosition(first)
	if !ok || last == "" {
		return zarr.From(start), ok
	}
	end, ok := parsePosition(last)
	if !ok || end < start {
		return zarr.Range{}, false
	}
	return zarr.Bytes(start, end-start+1), true
}

// parsePosition reads a byte position. A number beyond int64 counts as the greatest int64.
func parsePosition(digits string) (int64, bool) {
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	const highest = 1<<63 - 2 // so that the length from 0 on still fits
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n > highest {
		return highest, true
	}
	return n, true
}
