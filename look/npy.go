package look

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// WriteNPYHeader writes the beginning of a .npy file, version 1.0, of an array in C order:
//
//	"\x93NUMPY" 1 0, uint16: length of the header, header: a Python dictionary, padded to 64 bytes
func WriteNPYHeader(w io.Writer, typ string, shape []uint64) error {
	dims := make([]string, len(shape))
	for i, n := range shape {
		dims[i] = fmt.Sprint(n)
	}
	tuple := "(" + strings.Join(dims, ", ")
	if len(dims) == 1 {
		tuple += ","
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s), }", typ, tuple)
	const fixed = 10
	pad := 63 - (fixed+len(header))%64
	header += strings.Repeat(" ", pad) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(b[8:], uint16(len(header)))
	_, err := w.Write(append(b, header...))
	return err
}
