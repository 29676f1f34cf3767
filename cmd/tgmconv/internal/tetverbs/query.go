package tetverbs

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/tetshow"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/tetquery"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tgm"
)

// tetQuery are the flags of tet query.
type tetQuery struct {
	selection, reduce, budget, output, codec string
	json                                     bool
	threads                                  cli.ThreadsFlag
	limit                                    int64
}

func newTetQuery() *cobra.Command {
	var q tetQuery
	return cli.Verb{
		Use:   "query [flags] FILE DATASET",
		Short: "Read a part of a dataset, or compute over it: mean, sum, min, max and more",
		Long: `Read a part of a dataset of a .tet file, or reduce it along some or all of its axes. Only the chunks with
selected elements are read, on several cores, and at a time only as many as the memory budget allows. The budget is
the first of these that is given: --memory in bytes, the file's budget in bytes, --memory in percent of the available
memory, the file's budget in percent; else 25%.

A selection is a list of AXIS=START:STOP:STEP or AXIS=POSITION, where STOP is not included and each of START, STOP and
STEP may be left out. An axis is a name or a number. A position is a label or a number; negative numbers count from the
end. Labels that look like numbers, or have a comma or colon, are put in double quotes.

Reductions: ` + strings.Join(tetquery.Ops(), ", ") + `.
std and var are of the whole population. min, max, arg_min and arg_max ignore NaN; nan_mean and nan_std ignore
NaN and infinities.`,
		Example: `  tgmconv tet query weather.tet t2m --select 'time=0:10,lat="50":"30"'
  tgmconv tet query weather.tet t2m --reduce mean:lat,lon
  tgmconv tet query weather.tet t2m --reduce max --json
  tgmconv tet query weather.tet t2m --reduce std:time -o std.tet`,
		Words: fileAndDataset,
		Options: func(s *option.Set) {
			s.Text("select/s", &q.selection, "the part of the dataset to read; all if not given")
			s.Text("reduce/r", &q.reduce, "`OP` or OP:AXIS,... to compute; all axes if none are given")
			s.Text("memory", &q.budget, "memory to use: `BYTES` or PERCENT% of the available memory")
			cli.DeclareOutput(s, &q.output, "write the result to this .tet `FILE`")
			q.codec = "raw"
			s.Text("codec", &q.codec, "with -o: raw or zstd")
			cli.DeclareJSON(s, &q.json)
			q.threads.Declare(s, "chunks")
			s.Number("limit/n", &q.limit, "write at most n values; 0 writes all")
		},
		Run: func(cmd *cobra.Command, args []string) error { return q.run(cmd, args[0], args[1]) },
	}.Command()
}

func fileAndDataset(_ *cobra.Command, args []string) error {
	if len(args) != 2 {
		return cli.Usagef("tet query: expected a file and a dataset, found %d arguments", len(args))
	}
	return nil
}

// options are the workers and the memory to use.
func (q *tetQuery) options(cmd *cobra.Command) (o tet.ReadOptions, err error) {
	if q.limit < 0 {
		return o, cli.Usagef("tet query: -n is %d, expected 0 or more", q.limit)
	}
	if o.Workers, err = q.threads.Count(cmd); err != nil {
		return o, err
	}
	if o.Budget, err = tet.ParseBudget(q.budget); err != nil {
		return o, cli.Usagef("tet query: --memory %w", err)
	}
	return o, nil
}

// queryMemory is the memory that a query takes besides its budget.
const queryMemory = 16 << 20

func (q *tetQuery) run(cmd *cobra.Command, name, dataset string) error {
	o, err := q.options(cmd)
	if err != nil {
		return err
	}
	asked, err := q.parse()
	if err != nil {
		return cli.Misused(err)
	}
	f, err := openTet(cmd, name)
	if err != nil {
		return err
	}
	defer f.Close()
	d, ok := f.Dataset(dataset)
	if !ok {
		return cli.InFile(name, fmt.Errorf("there is no dataset %q (%s)", dataset, datasetNames(f)))
	}
	if err := q.check(cmd, name, d, &asked); err != nil {
		return cli.InFile(name, err)
	}
	cli.LimitMemory(min(cli.SoftMemory, d.Budget(o.Budget)+queryMemory))
	r, err := tetquery.Evaluate(cmd.Context(), d, asked, o)
	if err != nil {
		return cli.InFile(name, err)
	}
	switch {
	case q.output != "":
		return q.save(cmd, r, name)
	case q.json:
		return answered(cmd, func(out *bufio.Writer) error { return tetshow.JSON(out, r, q.limit) })
	}
	return answered(cmd, func(out *bufio.Writer) error { return tetshow.Table(out, r, q.limit) })
}

// The result of a query of a small file may take freeResult bytes in memory, as a constant field may,
// and bytesOfResult in the output for each value.
const (
	freeResult    = 208 << 20
	bytesOfResult = 64
)

// check returns an error if the result takes very much more than the dataset.
func (q *tetQuery) check(cmd *cobra.Command, name string, d *tet.Dataset, asked *tetquery.Query) error {
	p, err := d.Plan(asked.Selection)
	if err != nil || asked.Op != "" && len(asked.Axes) == 0 {
		return err // one value
	}
	stored := int64(0)
	for c := range d.Chunks() {
		stored += c.Stored
	}
	if limit := max(freeResult, cli.MaxArrayOf(cmd), cli.WorkExpansion*min(stored, math.MaxInt64/cli.WorkExpansion)); p.Bytes() > limit {
		return &tgm.ExpansionError{Bytes: p.Bytes(), Payload: stored, Limit: limit}
	}
	if q.output != "" || asked.Op != "" {
		return nil
	}
	n := p.Bytes() / d.DType.Size()
	if q.limit > 0 {
		n = min(n, q.limit)
	}
	return cli.CheckWorkOf(cmd, name, cli.ClientOf(cmd).PackedSize(name), bytesOfResult*float64(n))
}

// parse reads the query; its Op is empty if nothing is to be computed.
func (q *tetQuery) parse() (asked tetquery.Query, err error) {
	if asked.Selection, err = tet.ParseSelection(q.selection); err != nil {
		return asked, err
	}
	if q.reduce != "" {
		if asked.Op, asked.Axes, err = tetquery.ParseReduce(q.reduce); err != nil {
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

// save writes the result as a .tet file of one dataset.
func (q *tetQuery) save(cmd *cobra.Command, r *tetquery.Value, source string) error {
	codec, err := tet.ParseCodec(q.codec)
	if err != nil {
		return err
	}
	spec := r.Spec(codec)
	now := strconv.FormatInt(time.Now().Unix(), 10)
	out, err := cli.CreateRandom(cmd, q.output, "")
	if err != nil {
		return err
	}
	defer out.Abort()
	w, err := tet.NewWriter(out, []tet.DatasetSpec{spec}, tet.WriterOptions{
		History: []tet.Event{q.event(r, source, now)},
		Metadata: tet.Metadata{
			File:     &tet.FileMetadata{Tool: "tgmconv tet query", LibraryVersion: cli.Version(), CreatedAt: now},
			Datasets: map[string]tet.DatasetMetadata{spec.Name: r.Metadata()},
		},
	})
	if err != nil {
		return cli.InFile(q.output, err)
	}
	defer w.Abort()
	if err := w.WriteArray(cmd.Context(), 0, bytes.NewReader(r.Data)); err != nil {
		return cli.InFile(q.output, err)
	}
	if err := w.Close(); err != nil {
		return cli.InFile(q.output, err)
	}
	return out.Commit()
}

// event is the history of the result.
func (q *tetQuery) event(r *tetquery.Value, source, now string) tet.Event {
	params := map[string]string{"dataset": r.Dataset.Name}
	for key, value := range map[string]string{"select": q.selection, "reduce": q.reduce} {
		if value != "" {
			params[key] = value
		}
	}
	return tet.Event{Op: "query", Source: filepath.Base(source), At: now, Params: params}
}
