package tetshow

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/tet"
)

// A Filter selects datasets that contain texts; upper and lower case are the same.
type Filter struct {
	Dataset string // a part of the name
	Grep    string // a part of the name, the dtype or the metadata
}

// String returns the filter as reports show it.
func (f Filter) String() string {
	var parts []string
	if f.Dataset != "" {
		parts = append(parts, "dataset~"+f.Dataset)
	}
	if f.Grep != "" {
		parts = append(parts, "grep~"+f.Grep)
	}
	return strings.Join(parts, " ")
}

func (f Filter) match(d *tet.Dataset) bool {
	has := func(text, part string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(part)) }
	if f.Dataset != "" && !has(d.Name, f.Dataset) {
		return false
	}
	if f.Grep == "" {
		return true
	}
	m := d.Metadata()
	texts := append([]string{d.Name, d.DType.String()}, m.DimNames...)
	for key, value := range m.Attrs {
		texts = append(texts, key, value)
	}
	for axis, c := range m.Coords {
		texts = append(append(texts, axis), c.Labels...)
	}
	return has(strings.Join(texts, "\n"), f.Grep)
}

// Sections are the sections of [View.Text].
type Sections struct {
	Layout, Execution, Datasets, Chunks, History bool
}

// All returns all sections.
func All() Sections { return Sections{true, true, true, true, true} }

// Options select the content of a [View].
type Options struct {
	Name     string // of the file
	Filter   Filter
	Sections Sections // none means the datasets
	Labels   bool     // the first labels along the axes of datasets
	Chunks   int64    // at most this many rows of the chunk index; 0 means all
}

// A View writes the content of a file.
type View struct {
	opts  Options
	file  *tet.File
	shown []*tet.Dataset
	ids   map[uint64]int // of the shown datasets, by number in the file
}

// NewView returns a view of a file.
func NewView(file *tet.File, opts Options) *View {
	v := &View{opts: opts, file: file}
	v.choose()
	return v
}

// Line writes the content as one line. It returns the error of writing to out.
func (v *View) Line(out *bufio.Writer) error {
	_, err := fmt.Fprintf(out, "path=%s file_len=%d layout=%d datasets=%d chunks=%d history=%d\n", v.opts.Name, v.file.Size(),
		v.file.Superblock().LayoutVersion, len(v.shown), v.shownChunks(), len(v.file.History()))
	return err
}

func (v *View) choose() {
	v.ids = map[uint64]int{}
	for _, d := range v.file.Datasets() {
		if v.opts.Filter.match(d) {
			v.ids[uint64(d.ID())] = len(v.shown)
			v.shown = append(v.shown, d)
		}
	}
}

func (v *View) shownChunks() (n int64) {
	for _, d := range v.shown {
		n += d.NumChunks()
	}
	return n
}

// Text writes the sections that the options choose.
func (v *View) Text(out *bufio.Writer) error {
	super := v.file.Superblock()
	fmt.Fprintf(out, "file: %s\nsize: %d bytes  layout_version: %d  datasets: %d  chunks: %d\n",
		v.opts.Name, v.file.Size(), super.LayoutVersion, len(v.file.Datasets()), v.file.NumChunks())
	if text := v.opts.Filter.String(); text != "" {
		fmt.Fprintf(out, "filter: %s\n", text)
	}
	asked := v.opts.Sections
	if asked == (Sections{}) {
		asked.Datasets = true
	}
	for _, section := range []struct {
		asked bool
		write func(*bufio.Writer) error
	}{
		{asked.Layout, v.writeLayout}, {asked.Execution, v.writeExecution}, {asked.Datasets, v.writeDatasets},
		{asked.Chunks, v.writeChunks}, {asked.History, v.writeHistory},
	} {
		if !section.asked {
			continue
		}
		fmt.Fprintln(out)
		if err := section.write(out); err != nil {
			return err
		}
	}
	return nil
}

func (v *View) writeLayout(out *bufio.Writer) error {
	s := v.file.Superblock()
	_, err := fmt.Fprintf(out, "layout:\n  layout_version:    %d\n  dataset_count:     %d\n  flags:             %d (history_footer=%v)\n"+
		"  chunk_index_offset: %d\n  chunk_index_length: %d\n",
		s.LayoutVersion, s.DatasetCount, s.Flags, s.HasFooter(), s.ChunkIndexOffset, s.ChunkIndexLength)
	return err
}

func (v *View) writeExecution(out *bufio.Writer) error {
	e := v.file.Execution()
	fmt.Fprintln(out, "execution (file defaults):")
	if e == (tet.Execution{}) {
		fmt.Fprintln(out, "  (engine defaults: 25% of the available memory)")
	}
	if e.PercentBPS != 0 {
		fmt.Fprintf(out, "  memory_budget_percent: %v\n", float64(e.PercentBPS)/100)
	}
	if e.Bytes != 0 {
		fmt.Fprintf(out, "  memory_budget_bytes: %d\n", e.Bytes)
	}
	return nil
}

func (v *View) writeHistory(out *bufio.Writer) error {
	fmt.Fprintln(out, "history:")
	if len(v.file.History()) == 0 {
		fmt.Fprintln(out, "  (none)")
	}
	for i, e := range v.file.History() {
		fmt.Fprintf(out, "  %3d  %s  %s  at=%s\n", i+1, safetext.Line(e.Op), safetext.Line(e.Source), safetext.Line(e.At))
	}
	return nil
}
