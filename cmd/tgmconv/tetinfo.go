package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/tet"
)

// tetInfo are the flags of tet info.
type tetInfo struct {
	json, quiet, all, metadata                   bool
	layout, execution, datasets, chunks, history bool
	limit                                        int64
	filter                                       tetFilter
}

func newTetInfo() *cobra.Command {
	var i tetInfo
	cmd := &cobra.Command{
		Use:   "info [flags] FILE",
		Short: "Say what a .tet file holds: datasets, chunks, history",
		Long: `Say what a .tet file holds. Without flags that name sections the datasets are listed; with some, these
sections and no others.`,
		Example: `  tgmconv tet info weather.tet
  tgmconv tet info --chunks -n 0 --dataset t2m weather.tet
  tgmconv tet info --json weather.tet | jq '.summary.datasets[].name'`,
		Args: usageArgs(oneFile),
		RunE: func(cmd *cobra.Command, args []string) error { return i.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.BoolVarP(&i.json, "json", "j", false, "write JSON: superblock, datasets, chunks, history, metadata")
	f.BoolVarP(&i.quiet, "quiet", "q", false, "write one line")
	f.BoolVar(&i.all, "all", false, "write all sections")
	f.BoolVar(&i.layout, "layout", false, "write the superblock")
	f.BoolVar(&i.execution, "execution", false, "write the memory budget")
	f.BoolVar(&i.datasets, "datasets", false, "write the datasets")
	f.BoolVar(&i.chunks, "chunks", false, "write the chunk index")
	f.BoolVar(&i.history, "history", false, "write the history")
	f.BoolVar(&i.metadata, "metadata", false, "write the first labels along the axes of datasets")
	f.Int64VarP(&i.limit, "limit", "n", 32, "write at most n chunks; 0 writes all")
	f.StringVar(&i.filter.dataset, "dataset", "", "write only datasets whose name has this `TEXT` in it, upper or lower case")
	f.StringVar(&i.filter.grep, "grep", "", "write only datasets whose name, dtype or metadata have this `TEXT` in them")
	return cmd
}

func (i *tetInfo) run(cmd *cobra.Command, name string) error {
	if i.limit < 0 {
		return usagef("tet info: -n %d, expected at least 0", i.limit)
	}
	f, err := openTet(cmd, name)
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriter(cmd.OutOrStdout())
	v := &tetView{tetInfo: i, file: f, name: name, out: out}
	v.choose()
	switch {
	case i.json:
		err = v.writeJSON()
	case i.quiet:
		_, err = fmt.Fprintf(out, "path=%s file_len=%d layout=%d datasets=%d chunks=%d history=%d\n", name, f.Size(),
			f.Superblock().LayoutVersion, len(v.shown), v.shownChunks(), len(f.History()))
	default:
		err = v.write()
	}
	if flushErr := out.Flush(); err == nil {
		err = written(flushErr)
	}
	if err != nil {
		return inFile(name, err)
	}
	return nil
}

// A tetFilter selects datasets.
type tetFilter struct{ dataset, grep string }

func (f tetFilter) String() string {
	var parts []string
	if f.dataset != "" {
		parts = append(parts, "dataset~"+f.dataset)
	}
	if f.grep != "" {
		parts = append(parts, "grep~"+f.grep)
	}
	return strings.Join(parts, " ")
}

func (f tetFilter) match(d *tet.Dataset) bool {
	has := func(text, part string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(part)) }
	if f.dataset != "" && !has(d.Name, f.dataset) {
		return false
	}
	if f.grep == "" {
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
	return has(strings.Join(texts, "\n"), f.grep)
}

// A tetView writes what is in a file.
type tetView struct {
	*tetInfo
	file  *tetFile
	name  string
	out   *bufio.Writer
	shown []*tet.Dataset
	ids   map[uint64]int // of the shown datasets, by number in the file
}

func (v *tetView) choose() {
	v.ids = map[uint64]int{}
	for _, d := range v.file.Datasets() {
		if v.filter.match(d) {
			v.ids[uint64(d.ID())] = len(v.shown)
			v.shown = append(v.shown, d)
		}
	}
}

func (v *tetView) shownChunks() (n int64) {
	for _, d := range v.shown {
		n += d.NumChunks()
	}
	return n
}

// write writes the sections as text.
func (v *tetView) write() error {
	super := v.file.Superblock()
	fmt.Fprintf(v.out, "file: %s\nsize: %d bytes  layout_version: %d  datasets: %d  chunks: %d\n",
		v.name, v.file.Size(), super.LayoutVersion, len(v.file.Datasets()), v.file.NumChunks())
	if text := v.filter.String(); text != "" {
		fmt.Fprintf(v.out, "filter: %s\n", text)
	}
	none := !v.layout && !v.execution && !v.datasets && !v.chunks && !v.history
	for _, section := range []struct {
		asked bool
		write func() error
	}{
		{v.layout, v.writeLayout}, {v.execution, v.writeExecution}, {v.datasets || none, v.writeDatasets},
		{v.chunks, v.writeChunks}, {v.history, v.writeHistory},
	} {
		if !section.asked && !v.all {
			continue
		}
		fmt.Fprintln(v.out)
		if err := section.write(); err != nil {
			return err
		}
	}
	return nil
}

func (v *tetView) writeLayout() error {
	s := v.file.Superblock()
	_, err := fmt.Fprintf(v.out, "layout:\n  layout_version:    %d\n  dataset_count:     %d\n  flags:             %d (history_footer=%v)\n"+
		"  chunk_index_offset: %d\n  chunk_index_length: %d\n",
		s.LayoutVersion, s.DatasetCount, s.Flags, s.HasFooter(), s.ChunkIndexOffset, s.ChunkIndexLength)
	return err
}

func (v *tetView) writeExecution() error {
	e := v.file.Execution()
	fmt.Fprintln(v.out, "execution (file defaults):")
	if e == (tet.Execution{}) {
		fmt.Fprintln(v.out, "  (engine defaults: 25% of the available memory)")
	}
	if e.PercentBPS != 0 {
		fmt.Fprintf(v.out, "  memory_budget_percent: %v\n", float64(e.PercentBPS)/100)
	}
	if e.Bytes != 0 {
		fmt.Fprintf(v.out, "  memory_budget_bytes: %d\n", e.Bytes)
	}
	return nil
}

func (v *tetView) writeHistory() error {
	fmt.Fprintln(v.out, "history:")
	if len(v.file.History()) == 0 {
		fmt.Fprintln(v.out, "  (none)")
	}
	for i, e := range v.file.History() {
		fmt.Fprintf(v.out, "  %3d  %s  %s  at=%s\n", i+1, safetext.Line(e.Op), safetext.Line(e.Source), safetext.Line(e.At))
	}
	return nil
}
