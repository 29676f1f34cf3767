package planning

import (
	"context"
	"fmt"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/converting"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/looking"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/parts"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/internal/fromany"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/parallel"
	"github.com/tgmconv/tgmconv/internal/unpack"
	"github.com/tgmconv/tgmconv/storage"
)

// planning are the flags of plan, and the plan in the making.
type planning struct {
	to       string
	partSize string

	store   *parts.Store
	plan    parts.Plan
	passed  []string // inputs that are not taken, and why
	again   bool
	started bool
}

// plannedVerbs are the verbs that can be planned.
var plannedVerbs = []string{"convert", "to-netcdf", "to-zarr", "extract", "index"}

// NewPlanning returns the verb plan.
func NewPlanning() *cobra.Command {
	p := planning{partSize: "128MiB"}
	cmd := cli.Verb{
		Use:   "plan --to PLAN/ convert|to-netcdf|to-zarr|extract|index [flags] FILE...",
		Short: "Divide a large conversion into parts that any number of machines can do",
		Long: `Write the work of a command to the folder PLAN/, as parts. A part of convert and to-netcdf, whose output must be a
folder, is an input. A part of to-zarr is some slabs of an array. A part of extract and index is some inputs, and makes a
piece of the table or catalogue. tgmconv work does parts in any order, in any number of processes, and repeats interrupted
parts; tgmconv commit completes their results.

The words after the folder are the command. Only the beginning of each input is read, except for to-zarr, which reads
all metadata. Each input is noted with its size and entity tag: a part whose input changes later fails with exit
code 65. The same inputs make the same plan, and all processes write the same bytes. Inputs and outputs are absolute
paths or addresses, which must mean the same on all machines. PLAN/ and the output may lie in an object store.

to-netcdf writes a file for each input. extract --over cannot be planned, as statistics may need fields of several
parts. index -o plans only new and changed files if the catalogue exists.`,
		Example: `  tgmconv plan --to plan/ convert -o out/ in/
  tgmconv plan --to s3://bucket/plan/ convert -o s3://bucket/out/ 's3://bucket/in/*.grib2'
  tgmconv plan --to plan/ to-zarr -o era5.zarr --chunks time=all,latitude=10 in/
  tgmconv plan --to plan/ index -o archive.parquet archive/
  tgmconv work plan/
  tgmconv commit plan/`,
		Words: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("plan: no command given, expected %s with its flags and inputs", cli.OrList(plannedVerbs))
			}
			if !slices.Contains(plannedVerbs, args[0]) {
				return cli.Usagef("plan: the command is %q, expected %s", args[0], cli.OrList(plannedVerbs))
			}
			return nil
		},
		Options: func(s *option.Set) {
			s.Text("to", &p.to, "folder or address to write the plan to")
			s.Text("part-size", &p.partSize, "about how many bytes make a part: bytes of elements for to-zarr, of inputs for extract and index")
		},
		Run: p.run,
	}.Command()
	cmd.Flags().SetInterspersed(false)
	return cmd
}

// run plans the command that words are.
func (p *planning) run(cmd *cobra.Command, words []string) error {
	if p.to == "" {
		return cli.Usagef("plan: no folder given: --to PLAN/")
	}
	client := new(storage.Client)
	defer client.Close()
	p.store = parts.At(client, absolute(p.to))
	root := cli.RootOf(p.verbs()...)
	root.SetArgs(words)
	root.SetOut(cmd.OutOrStdout())
	root.SetErr(cmd.ErrOrStderr())
	root.SetIn(cmd.InOrStdin())
	verb, err := root.ExecuteContextC(cmd.Context())
	switch {
	case err != nil || !p.started: // the help was asked for
		return err
	case p.again:
		fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: nothing to do, the same plan of %s is there\n", cli.Count(p.plan.Parts, "part"))
		return nil
	}
	new(cli.Summary).ListPassed(verb, p.passed)
	fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %s of %s, %s\n", cli.Count(p.plan.Parts, "part"), cli.Count(p.plan.Inputs, "input"), plannedBytes(&p.plan))
	return nil
}

// verbs are the commands that plan themselves instead of being run.
func (p *planning) verbs() []*cobra.Command {
	c, n, z := new(converting.ConvertVerb), new(converting.ToNetCDF), new(converting.ToZarr)
	x, i := new(looking.ExtractFlags), new(looking.IndexFlags)
	convert, netcdf, zarr, extract, index := c.Verb(), n.Verb(), z.Verb(), x.Verb(), i.Verb()
	convert.Run = func(cmd *cobra.Command, args []string) error { return p.convert(cmd, c, args) }
	netcdf.Run = func(cmd *cobra.Command, args []string) error { return p.toNetCDF(cmd, n, args) }
	zarr.Run = func(cmd *cobra.Command, args []string) error { return p.toZarr(cmd, z, args) }
	extract.Run = func(cmd *cobra.Command, args []string) error { return p.extract(cmd, x, args) }
	index.Run = func(cmd *cobra.Command, args []string) error { return p.index(cmd, i, args) }
	return []*cobra.Command{convert.Command(), netcdf.Command(), zarr.Command(), extract.Command(), index.Command()}
}

// convert plans one part for each input.
func (p *planning) convert(cmd *cobra.Command, v *converting.ConvertVerb, args []string) error {
	args, err := v.Other.Positional(cmd, args)
	if err != nil {
		return err
	}
	kind, err := v.Other.Kind(v.Output)
	switch {
	case err != nil:
		return err
	case !slices.Contains([]*cli.FileKind{cli.TensogramFiles, cli.NetCDFFiles, cli.ZarrFiles}, kind):
		return cli.Usagef("plan: convert to %s cannot be planned, expected Tensogram, netCDF or Zarr", kind.Name)
	}
	if done, err := v.Other.Run(cmd, args, v.Output); done || err != nil {
		return err
	}
	for _, flag := range []string{"append", "update", "stream", "report", "watch"} {
		if cmd.Flags().Changed(flag) {
			return cli.Usagef("plan: convert --%s cannot be planned", flag)
		}
	}
	if _, err := v.Options(cmd); err != nil {
		return err
	}
	if args, err = v.Batch.WithListed(cmd, args); err != nil {
		return err
	}
	return p.eachInput(cmd, &v.Conversion, v.Output, ".tgm", args)
}

// toNetCDF plans one part for each input.
func (p *planning) toNetCDF(cmd *cobra.Command, t *converting.ToNetCDF, args []string) error {
	if _, err := t.Options(cmd); err != nil {
		return err
	}
	if _, err := cli.ParseWhere(t.Where); err != nil {
		return err
	}
	return p.eachInput(cmd, &converting.Conversion{Output: t.Output, SkipBad: t.SkipBad}, t.Output, ".nc", args)
}

// eachInput plans a part for each input that holds data, with an output in a folder.
func (p *planning) eachInput(cmd *cobra.Command, c *converting.Conversion, output, suffix string, args []string) error {
	ctx := storage.Glance(storage.Sparse(cmd.Context()))
	if converting.HasKeys(output) || output == "" || output == storage.Stdin || !strings.HasSuffix(output, "/") && !cli.IsFolder(output) {
		return cli.Usagef("plan: %s goes to %q, expected a folder, -o OUT/: one output for each input", cmd.Name(), output)
	}
	if err := p.beginFiles(cmd, output, args); err != nil {
		return err
	}
	client := cli.ClientOf(cmd)
	inputs, err := c.Inputs(ctx, client, args)
	if err != nil {
		return err
	}
	if len(c.Skipped) > 0 { // a plan has no state for what is not there
		return c.Skipped[0]
	}
	inputs = p.outside(inputs)
	names, err := importers.NamesIn(p.plan.Output, inputs, args)
	if err != nil {
		return cli.Usagef("%w", err)
	}
	maker, err := p.store.Make(ctx, &p.plan)
	if err != nil {
		return err
	}
	defer maker.Abort()
	looks := inOrder(ctx, inputs, func(ctx context.Context, in importers.Input) (*parts.Input, error) {
		return lookAt(ctx, client, in, suffix)
	})
	i := -1
	for state, err := range looks {
		i++
		switch {
		case err != nil && c.SkipBad && state != nil && ctx.Err() == nil:
			// The part says so when it is done.
		case err != nil:
			return err
		}
		if state == nil {
			p.pass(inputs[i].Name, cmd.Name())
			continue
		}
		key := strings.TrimPrefix(strings.TrimSuffix(names[i], importers.Suffix)+suffix, p.plan.Output+"/")
		if storage.SameFile(inputs[i].Name, p.plan.Output+"/"+key) {
			return cli.Usagef("output %s would replace an input", p.plan.Output+"/"+key)
		}
		if err := maker.Add(&parts.Part{Inputs: []parts.Input{*state}, Output: key, Optional: inputs[i].FromFolder || c.SkipBad}); err != nil {
			return err
		}
	}
	if p.plan.Parts == 0 {
		return fmt.Errorf("nothing to plan: the inputs hold no data that %s reads", cmd.Name())
	}
	p.again, err = maker.Finish(cmd.Context(), nil, nil)
	return err
}

// beginFiles is begin for a plan of whole inputs. It makes the names of these absolute.
func (p *planning) beginFiles(cmd *cobra.Command, output string, args []string) error {
	if slices.Contains(args, storage.Stdin) {
		return cli.Usagef("plan: standard input cannot be an input: it can be read once")
	}
	if err := p.begin(cmd, output, args); err != nil {
		return err
	}
	for i, name := range args {
		args[i] = absolute(name)
	}
	return nil
}

// pass passes over an input that holds no data.
func (p *planning) pass(name, verb string) {
	p.plan.Passed++
	if len(p.passed) < cli.PrintedWarnings {
		p.passed = append(p.passed, storage.Display(name)+": skipped: it holds no data that "+verb+" reads")
	}
}

// looksAtATime is how many inputs are looked at together: most of the time is spent on waiting.
const looksAtATime = 32

// inOrder looks at many inputs together, and yields the results in the order of the inputs.
func inOrder(ctx context.Context, inputs []importers.Input, look func(context.Context, importers.Input) (*parts.Input, error)) iter.Seq2[*parts.Input, error] {
	return parallel.Ordered(ctx, slices.Values(inputs), parallel.Window[importers.Input]{Workers: looksAtATime, Ahead: looksAtATime}, look)
}

// outside are inputs that do not lie in the output or the plan, which a folder may hold that both are in.
func (p *planning) outside(inputs []importers.Input) []importers.Input {
	within := []string{p.plan.Output + "/", strings.TrimRight(absolute(p.to), "/") + "/"}
	return slices.DeleteFunc(inputs, func(in importers.Input) bool {
		return in.FromFolder && slices.ContainsFunc(within, func(folder string) bool { return strings.HasPrefix(in.Name, folder) })
	})
}

// begin fills the fields of the plan that are known before its parts.
func (p *planning) begin(cmd *cobra.Command, output string, inputs []string) (err error) {
	p.started = true
	p.plan = parts.Plan{Format: parts.Format, Program: cli.Version(), Verb: cmd.Name(), Epoch: os.Getenv("SOURCE_DATE_EPOCH"), Output: strings.TrimRight(absolute(output), "/")}
	for _, name := range append(slices.Clone(inputs), p.plan.Output, p.to) {
		if u, err := url.Parse(name); storage.IsRemote(name) && err == nil && u.User != nil {
			return cli.Usagef("plan: %s has a password, which a plan does not keep: name it in .netrc", storage.Display(name))
		}
	}
	p.plan.Arguments, err = cli.WordsOf(cmd, ofOneProcess)
	return err
}

// ofOneProcess are flags that each process may have for itself, and flags that a plan keeps in
// another form.
var ofOneProcess = []string{"output", "files-from", "force", "to", "quiet", "json", "threads", "temp-dir", "reproducible", "header"}

// lookAt describes an input of the plan: its size and entity tag. It is nil if the input is to be skipped.
func lookAt(ctx context.Context, client *unpack.Client, in importers.Input, suffix string) (*parts.Input, error) {
	state, err := stateOf(ctx, client.Client, in.Name)
	if err != nil {
		return nil, err
	}
	found, err := fromany.FormatOf(ctx, client, in.Name)
	if err != nil {
		return state, err
	}
	if found.IsSource() || found.IsData() && (suffix != importers.Suffix || !in.FromFolder) {
		return state, nil
	}
	other := &importers.FormatError{Found: found, Expected: "GRIB, netCDF, Zarr, .tet or Tensogram"}
	if importers.Ignored(in, other) {
		return nil, nil
	}
	return state, cli.InFile(in.Name, other)
}

// stateOf is the state of an input, of an archive for a member of it.
func stateOf(ctx context.Context, client *storage.Client, name string) (*parts.Input, error) {
	outer, _, _ := unpack.Split(name)
	blob, err := client.Open(ctx, outer)
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	return &parts.Input{Name: name, Size: blob.Size(), ETag: blob.ETag()}, nil
}

// absolute is a location that means the same in all folders.
func absolute(name string) string {
	if storage.IsRemote(name) || name == storage.Stdin {
		return name
	}
	full, err := filepath.Abs(storage.LocalPath(name))
	if err != nil {
		return name
	}
	if strings.HasSuffix(name, "/") && full != "/" {
		full += "/"
	}
	return full
}
