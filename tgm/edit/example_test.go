package edit_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/tgmconv/tgmconv/tgm"
	"github.com/tgmconv/tgmconv/tgm/edit"
)

func ExampleWrite() {
	var in, out bytes.Buffer
	w := tgm.NewMessageWriter(&in, tgm.WriterOptions{})
	for i, name := range []string{"u", "v", "w"} {
		o, err := tgm.EncodeArray(tgm.ArrayOf([]int16{int16(i)}), tgm.Pipeline{})
		if err == nil {
			err = w.Append(o, map[string]any{"name": name})
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	if err := w.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}

	f, err := tgm.NewFile(bytes.NewReader(in.Bytes()), int64(in.Len()))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	m, err := f.Message(0)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	// All but v, as they are stored.
	n, err := edit.Write(&out, func(yield func(edit.Item, error) bool) {
		for item, err := range edit.Items(m) {
			if err == nil && item.Object.Name() == "v" {
				continue
			}
			if !yield(item, err) {
				return
			}
		}
	}, nil, edit.Options{})
	fmt.Println(n, err)
	// Output: 2 <nil>
}
