package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tet/query"
)

// tetQuery are the flags of tet query.
type tetQuery struct {
	selection, reduce, budget, output, codec string
	json                                     bool
	jobs                                     int
	limit                                    int64
}

func newTetQuery() *cobra.Command {
	var q tetQuery
	cmd := &cobra.Command{
		Use:   "query [flags] FILE DATASET",
		Short: "Read a part of a dataset, or compute over it: mean, sum, min, max and more",
		Long: `Read a part of a dataset of a .tet file, or reduce it along some or all of its axes. Only the chunks that the
selection meets are read, by several cores, and never more of them at a time than the memory budget allows. The budget
is that of --memory in bytes, of the file in bytes, of --memory in percent of the available memory, or of the file in
percent, the first that there is; 25% if there is none.

A selection is a list of AXIS=START:STOP:STEP or AXIS=POSITION, where STOP is not included and each of START, STOP and
STEP may be left out. Axes go by name or number; positions by number, where negative ones count from the end, or by
label. Labels that look like numbers, or have a comma or colon, are put in double quotes.

Reductions: ` + strings.Join(query.Ops(), ", ") + `.
std and var are those of the population. min, max, arg_min and arg_max pass over NaN; nan_mean and nan_std over
infinities too.`,
		Example: `  tgmconv tet query weather.tet t2m --select 'time=0:10,lat="50":"30"'
  tgmconv tet query weather.tet t2m --reduce mean:lat,lon
  tgmconv tet query weather.tet t2m --reduce max --json
  tgmconv tet query weather.tet t2m --reduce std:time -o std.tet`,
		Args: usageArgs(fileAndDataset),
		RunE: func(cmd *cobra.Command, args []string) error { return q.run(cmd, args[0], args[1]) },
	}
	f := cmd.Flags()
	f.StringVarP(&q.selection, "select", "s", "", "the part of the dataset to read; all if not given")
	f.StringVarP(&q.reduce, "reduce", "r", "", "`OP` or OP:AXIS,... to compute; all axes if none are given")
	f.StringVar(&q.budget, "memory", "", "memory to use: `BYTES` or PERCENT% of the available memory")
	f.StringVarP(&q.output, "output", "o", "", "write the result to this .tet `FILE`")
	f.StringVar(&q.codec, "codec", "raw", "with -o: raw or zstd")
	f.BoolVarP(&q.json, "json", "j", false, "write JSON")
	f.IntVar(&q.jobs, "jobs", 0, "chunks to decode at the same time; 0 means one a core")
	f.Int64VarP(&q.limit, "limit", "n", 0, "write at most n values; 0 writes all")
	return cmd
}

func fileAndDataset(_ *cobra.Command, args []string) error {
	if len(args) != 2 {
		return usagef("tet query: expected a file and a dataset, found %d arguments", len(args))
	}
	return nil
}

// options are the workers and the memory to use.
func (q *tetQuery) options() (o tet.ReadOptions, err error) {
	if q.jobs < 0 || q.limit < 0 {
		return o, usagef("tet query: --jobs and -n must not be negative")
	}
	o.Workers = q.jobs
	percent, isPercent := strings.CutSuffix(q.budget, "%")
	switch {
	case q.budget == "":
		return o, nil
	case isPercent:
		o.Budget.Percent, err = strconv.ParseFloat(percent, 64)
	default:
		o.Budget.Bytes, err = strconv.ParseInt(q.budget, 10, 64)
	}
	if err != nil || o.Budget.Bytes < 0 || o.Budget.Percent < 0 || o.Budget == (tet.Budget{}) {
		return o, usagef("tet query: --memory %q, expected a number of bytes or a percentage such as 25%%", q.budget)
	}
	return o, nil
}

// queryMemory is what a query takes besides its budget.
const queryMemory = 16 << 20

// A tetResult is what a query gives.
type tetResult struct {
	*tet.Array
	dataset *tet.Dataset
	op      string // empty if nothing was computed
	reduced []string
	axes    []int       // of the dataset, that the result has
	ranges  []tet.Range // along all axes of the dataset
	chunks  int64
	budget  int64
}

func (q *tetQuery) run(cmd *cobra.Command, name, dataset string) error {
	o, err := q.options()
	if err != nil {
		return err
	}
	asked, err := q.parse()
	if err != nil {
		return &usageError{err}
	}
	f, err := openTet(cmd, name)
	if err != nil {
		return err
	}
	defer f.Close()
	d, ok := f.Dataset(dataset)
	if !ok {
		return inFile(name, fmt.Errorf("there is no dataset %q (%s)", dataset, datasetNames(f)))
	}
	r, err := evaluate(cmd, d, asked, o)
	if err != nil {
		return inFile(name, err)
	}
	switch {
	case q.output != "":
		return q.save(cmd, r, name)
	case q.json:
		return q.writeJSON(cmd, r)
	}
	return q.writeTable(cmd, r)
}

// parse reads what is asked for; its Op is empty if nothing is to be computed.
func (q *tetQuery) parse() (asked query.Query, err error) {
	if asked.Selection, err = tet.ParseSelection(q.selection); err != nil {
		return asked, err
	}
	if q.reduce != "" {
		if asked.Op, asked.Axes, err = query.ParseReduce(q.reduce); err != nil {
			return asked, err
		}
	}
	_, err = tet.ParseCodec(q.codec)
	return asked, err
}

// datasetNames lists the first datasets of a file.
func datasetNames(f *tetFile) string {
	const most = 10
	var names []string
	for i, d := range f.Datasets() {
		if i == most {
			names = append(names, "...")
			break
		}
		names = append(names, d.Name)
	}
	if names == nil {
		return "the file has none"
	}
	return "there are " + strings.Join(names, ", ")
}

// evaluate reads what is selected, or computes.
func evaluate(cmd *cobra.Command, d *tet.Dataset, q query.Query, o tet.ReadOptions) (*tetResult, error) {
	r := &tetResult{dataset: d, op: q.Op, budget: d.Budget(o.Budget)}
	limitMemory(min(softMemory, r.budget+queryMemory))
	if q.Op != "" {
		v, err := query.Run(cmd.Context(), d, q, o)
		if err != nil {
			return nil, err
		}
		r.Array, r.axes, r.ranges, r.chunks = tet.NewFloat64s(v.Shape, v.Values), v.Kept, v.Ranges, v.Chunks
		for _, axis := range v.Axes {
			r.reduced = append(r.reduced, axisName(d, axis))
		}
		return r, nil
	}
	p, err := d.Plan(q.Selection)
	if err != nil {
		return nil, err
	}
	if r.Array, err = p.Read(cmd.Context(), o); err != nil {
		return nil, err
	}
	r.ranges, r.chunks = p.Ranges(), p.NumChunks()
	for axis := range d.Shape {
		r.axes = append(r.axes, axis)
	}
	return r, nil
}

func axisName(d *tet.Dataset, axis int) string {
	if names := d.DimNames(); names != nil {
		return names[axis]
	}
	return strconv.Itoa(axis)
}

// labels are those of the selected positions along an axis of the dataset, nil if not all have one.
func (r *tetResult) labels(axis int) []string {
	all := r.dataset.Labels(axis)
	var labels []string
	for i := r.ranges[axis].Start; i < r.ranges[axis].Stop; i += r.ranges[axis].Step {
		if i >= int64(len(all)) {
			return nil
		}
		labels = append(labels, all[i])
	}
	return labels
}

// save writes the result as a .tet file of one dataset.
func (q *tetQuery) save(cmd *cobra.Command, r *tetResult, source string) error {
	codec, err := tet.ParseCodec(q.codec)
	if err != nil {
		return err
	}
	spec := tet.DatasetSpec{Name: r.dataset.Name, DType: r.DType, Shape: r.Shape, Codec: codec}
	if r.op != "" {
		spec.Name += "-" + r.op
	}
	if len(r.Shape) == 0 {
		spec.Shape = []int64{1}
	}
	now := strconv.FormatInt(time.Now().Unix(), 10)
	w, err := tet.Create(q.output, []tet.DatasetSpec{spec}, tet.WriterOptions{
		History: []tet.Event{q.event(r, source, now)},
		Metadata: tet.Metadata{
			File:     &tet.FileMetadata{Tool: "tgmconv tet query", LibraryVersion: version(), CreatedAt: now},
			Datasets: map[string]tet.DatasetMetadata{spec.Name: r.metadata()},
		},
	})
	if err != nil {
		return inFile(q.output, err)
	}
	if err = w.WriteArray(cmd.Context(), 0, bytes.NewReader(r.Data)); err != nil {
		w.Abort()
	} else {
		err = w.Close()
	}
	if err != nil {
		return inFile(q.output, err)
	}
	return nil
}

// event is the history of the result.
func (q *tetQuery) event(r *tetResult, source, now string) tet.Event {
	params := map[string]string{"dataset": r.dataset.Name}
	for key, value := range map[string]string{"select": q.selection, "reduce": q.reduce} {
		if value != "" {
			params[key] = value
		}
	}
	return tet.Event{Op: "query", Source: filepath.Base(source), At: now, Params: params}
}

// metadata are the names and labels of the axes that are left, and the attributes of the dataset.
func (r *tetResult) metadata() tet.DatasetMetadata {
	m := tet.DatasetMetadata{Attrs: r.dataset.Metadata().Attrs}
	if r.dataset.DimNames() == nil {
		return m
	}
	for _, axis := range r.axes {
		name := axisName(r.dataset, axis)
		m.DimNames = append(m.DimNames, name)
		if labels := r.labels(axis); labels != nil {
			if m.Coords == nil {
				m.Coords = map[string]tet.CoordAxis{}
			}
			m.Coords[name] = tet.CoordAxis{Labels: labels}
		}
	}
	return m
}
