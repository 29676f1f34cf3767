package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

func newInfo() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info [flags] FILE...",
		Short: "Say what Tensogram files hold: messages, objects, sizes, who wrote them",
		Example: `  tgmconv info forecast.tgm
  tgmconv info --json *.tgm`,
		Args: usageArgs(atLeastOneInput),
		RunE: func(cmd *cobra.Command, args []string) error { return runInfo(cmd, args, asJSON) },
	}
	cmd.Flags().BoolVarP(&asJSON, "json", "j", false, "write JSON")
	return cmd
}

// fileInfo is what info tells about a file.
type fileInfo struct {
	messages, objects int
	size              int64
	decoded           uint64         // bytes of all arrays, decoded
	encoders          map[string]int // messages by who wrote them
	dtypes, pipelines map[string]int // objects by dtype and by how they are stored
	hashed            int            // objects that have a hash
	firstTime         string         // of writing, over all messages
	lastTime          string
}

func runInfo(cmd *cobra.Command, names []string, asJSON bool) error {
	list := newJSONList(cmd.OutOrStdout(), "  ")
	first := true
	err := eachFile(cmd, names, func(v *viewFile) error {
		info, err := collectInfo(cmd, v)
		if err != nil {
			return err
		}
		if info.messages == 0 {
			return nil // checkWhole says why
		}
		if asJSON {
			return list.add(info.json(v.name))
		}
		out := bufio.NewWriter(cmd.OutOrStdout())
		if !first {
			fmt.Fprintln(out)
		}
		first = false
		info.write(out, v.name)
		return written(out.Flush())
	})
	if asJSON {
		if closeErr := list.close(); closeErr != nil {
			return closeErr
		}
	}
	return err
}

func collectInfo(cmd *cobra.Command, v *viewFile) (*fileInfo, error) {
	info := &fileInfo{
		size:     v.Size(),
		encoders: map[string]int{}, dtypes: map[string]int{}, pipelines: map[string]int{},
	}
	err := v.eachMessage(cmd.Context(), func(m viewMessage) error {
		info.messages++
		info.addProvenance(m.metadata.Reserved)
		n, err := m.NumObjects()
		for j := 0; j < n && err == nil; j++ {
			var object *tgm.Object
			if object, err = m.Stored(j); err == nil {
				info.addObject(object)
			}
		}
		return err
	})
	return info, err
}

func (f *fileInfo) addProvenance(reserved map[string]any) {
	name := optionalText(mustLookup(reserved, "encoder.name"))
	version := optionalText(mustLookup(reserved, "encoder.version"))
	if encoder := strings.TrimSpace(name + " " + version); encoder != "" {
		f.encoders[encoder]++
	}
	if time := optionalText(mustLookup(reserved, "time")); time != "" {
		if f.firstTime == "" || time < f.firstTime {
			f.firstTime = time
		}
		f.lastTime = max(f.lastTime, time)
	}
}

// mustLookup is the value at a path that is there, or nil.
func mustLookup(m map[string]any, path string) any {
	value, _ := mapping.Path(m, path)
	return value
}

func (f *fileInfo) addObject(o *tgm.Object) {
	d := o.Descriptor()
	f.objects++
	f.dtypes[d.DType.String()]++
	f.pipelines[pipelineText(d)]++
	if size, ok := d.DecodedSize(); ok {
		f.decoded += size
	}
	if _, ok := o.Hash(); ok {
		f.hashed++
	}
}

// ratio is how many bytes of data a byte of the file holds.
func (f *fileInfo) ratio() float64 { return float64(f.decoded) / float64(f.size) }

func (f *fileInfo) write(out io.Writer, name string) {
	line := func(title, format string, args ...any) {
		fmt.Fprintf(out, "%-10s "+format+"\n", append([]any{title + ":"}, args...)...)
	}
	line("File", "%s", name)
	line("Messages", "%d", f.messages)
	line("Objects", "%d", f.objects)
	line("Size", "%s (%d bytes)", byteText(f.size), f.size)
	line("Decoded", "%s (%.2f times the file)", byteText(int64(f.decoded)), f.ratio())
	line("Version", "%d", wireVersion)
	line("Dtypes", "%s", countText(f.dtypes))
	line("Encoding", "%s", countText(f.pipelines))
	if len(f.encoders) > 0 {
		line("Encoder", "%s", strings.Join(slices.Sorted(maps.Keys(f.encoders)), ", "))
	}
	switch {
	case f.firstTime == "":
	case f.firstTime == f.lastTime:
		line("Written", "%s", f.firstTime)
	default:
		line("Written", "%s to %s", f.firstTime, f.lastTime)
	}
	line("Hashes", "%d of %d objects", f.hashed, f.objects)
}

// wireVersion is the version of the message format.
const wireVersion = tgm.WireVersion

// countText lists what was counted, the most frequent first: "float64 (98), int32 (2)"; alone
// without its number.
func countText(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	for i, name := range names {
		names[i] = fmt.Sprintf("%s (%d)", name, counts[name])
	}
	return strings.Join(names, ", ")
}

func (f *fileInfo) json(name string) map[string]any {
	object := map[string]any{
		"file": name, "messages": f.messages, "objects": f.objects, "size": f.size, "version": wireVersion,
		"decoded_size": f.decoded, "ratio": f.ratio(), "hashed_objects": f.hashed,
		"dtypes": countsJSON(f.dtypes), "encodings": countsJSON(f.pipelines), "encoders": countsJSON(f.encoders),
	}
	if f.firstTime != "" {
		object["first_time"], object["last_time"] = f.firstTime, f.lastTime
	}
	return object
}

func countsJSON(counts map[string]int) map[string]any {
	object := make(map[string]any, len(counts))
	for name, n := range counts {
		object[name] = n
	}
	return object
}
