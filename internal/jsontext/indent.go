package jsontext

import (
	"bytes"
	"strings"
)

// AppendIndent appends a JSON text to dst in lines, as [encoding/json.Indent] does: each line but the
// first begins with prefix and one indent for each level. It does not check src, which [Append] made,
// and takes a fraction of the time.
func AppendIndent(dst, src []byte, prefix, indent string) []byte {
	depth := 0
	line := "\n" + prefix
	// The line breaks of the first levels are parts of one text.
	breaks := line + strings.Repeat(indent, 16)
	newLine := func() {
		if n := len(line) + depth*len(indent); n <= len(breaks) {
			dst = append(dst, breaks[:n]...)
			return
		}
		dst = append(dst, line...)
		for range depth {
			dst = append(dst, indent...)
		}
	}
	for i := 0; i < len(src); {
		c := src[i]
		i++
		switch c {
		case ' ', '\t', '\n', '\r':
		case '{', '[':
			dst = append(dst, c)
			rest := bytes.TrimLeft(src[i:], " \t\n\r")
			if len(rest) > 0 && (rest[0] == '}' || rest[0] == ']') {
				dst = append(dst, rest[0])
				i = len(src) - len(rest) + 1
				continue
			}
			depth++
			newLine()
		case '}', ']':
			depth--
			newLine()
			dst = append(dst, c)
		case ',':
			dst = append(dst, c)
			newLine()
		case ':':
			dst = append(dst, ':', ' ')
		case '"':
			end := stringEnd(src, i)
			dst = append(dst, src[i-1:end]...)
			i = end
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// stringEnd returns where a string that has begun before i ends.
func stringEnd(src []byte, i int) int {
	for i < len(src) {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
		i++
	}
	return len(src)
}
