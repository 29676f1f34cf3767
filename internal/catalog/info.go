package catalog

import (
	"context"
	"strings"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// Info counts the content of a Tensogram file.
type Info struct {
	Messages, Objects int
	Size              int64          // of the file
	Decoded           uint64         // bytes of all arrays, decoded
	Encoders          map[string]int // messages by the program that wrote them
	DTypes, Pipelines map[string]int // objects by dtype and by how they are stored
	Hashed            int            // objects that have a hash
	FirstTime         string         // of writing, over all messages
	LastTime          string
}

// CollectInfo counts the content of a file. It reads no values.
func CollectInfo(ctx context.Context, f *tgm.File) (*Info, error) {
	info := &Info{Encoders: map[string]int{}, DTypes: map[string]int{}, Pipelines: map[string]int{}}
	for m, err := range Messages(ctx, f, "") {
		if err != nil {
			return info, err
		}
		info.Messages++
		info.addProvenance(m.Shared.Reserved)
		n, err := m.NumObjects()
		if err != nil {
			return info, err
		}
		for j := range n {
			object, err := m.reader.Stored(m.Message, j)
			if err != nil {
				return info, err
			}
			info.addObject(object)
		}
	}
	info.Size = f.Size()
	return info, nil
}

func (f *Info) addProvenance(reserved map[string]any) {
	encoder := strings.TrimSpace(textAt(reserved, "encoder.name") + " " + textAt(reserved, "encoder.version"))
	if encoder != "" {
		f.Encoders[encoder]++
	}
	if time := textAt(reserved, "time"); time != "" {
		if f.FirstTime == "" || time < f.FirstTime {
			f.FirstTime = time
		}
		f.LastTime = max(f.LastTime, time)
	}
}

// textAt is the text of the value at a path, "" if there is none.
func textAt(m map[string]any, path string) string {
	value, ok := mapping.Path(m, path)
	if !ok || value == nil {
		return ""
	}
	text, _ := mapping.LookupFunc(func(string) (any, bool) { return value, true }).Text("")
	return text
}

func (f *Info) addObject(o *tgm.Object) {
	d := o.Descriptor()
	f.Objects++
	f.DTypes[d.DType.String()]++
	f.Pipelines[StoredAs(d)]++
	if size, ok := d.DecodedSize(); ok {
		f.Decoded += size
	}
	if _, ok := o.Hash(); ok {
		f.Hashed++
	}
}

// Ratio returns the size of the decoded data relative to the size of the file.
func (f *Info) Ratio() float64 { return float64(f.Decoded) / float64(f.Size) }
