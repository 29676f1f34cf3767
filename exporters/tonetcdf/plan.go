package tonetcdf

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/tgm"
)

// A Plan lists the files that an export will write.
type Plan struct {
	Files []*File
	// Notes are warnings of omissions and changes.
	Notes []string
	// Apart says why several netCDF files are not one dataset. Unjoined says why files that are one
	// dataset are not joined to one file.
	Apart, Unjoined string
}

// ErrNothing is the error of [NewPlan] if there is no variable to write.
var ErrNothing = errors.New("there is no variable to write")

// NewPlan divides objects, whose values fields reads, among files.
func NewPlan(ctx context.Context, objects dataset.Objects, fields dataset.Fields, opts Options) (*Plan, error) {
	p := &Plan{}
	b := planner{opts: &opts, reader: fields, byExtra: make(map[uintptr]string), byKey: make(map[string][]*source)}
	for o, err := range objects {
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b.add(o)
	}
	p.Notes = append(p.Notes, b.addNamed(ctx)...)
	if !b.selecting() {
		b.addBare()
	}
	if len(b.sources) > 1 && len(b.fields) == 0 && !opts.Split {
		joined, notes, err := b.join(ctx)
		if err == nil {
			b.sources = []*source{joined}
			p.Notes = append(p.Notes, notes...)
		} else if apart := (*apartError)(nil); errors.As(err, &apart) {
			p.Apart = apart.why
		} else {
			p.Unjoined = err.Error()
		}
	}
	for _, s := range b.sources {
		f, notes, err := b.file(s)
		if err != nil {
			return nil, err
		}
		p.Notes = append(p.Notes, notes...)
		if f.Variables() > 0 || !b.selecting() {
			p.Files = append(p.Files, f)
		}
	}
	if len(b.fields) > 0 {
		files, notes, err := b.fieldFiles(ctx)
		if err != nil {
			return nil, err
		}
		p.Files, p.Notes = append(p.Files, files...), append(p.Notes, notes...)
	}
	if len(p.Files) == 0 {
		return nil, ErrNothing
	}
	p.name()
	return p, nil
}

// name numbers the files that have no name of their own, if there are several.
func (p *Plan) name() {
	if len(p.Files) == 1 {
		p.Files[0].Name = ""
		return
	}
	for i, f := range p.Files {
		if f.Name == "" {
			f.Name = fmt.Sprintf("%d", i+1)
		}
	}
}

// A planner collects objects.
type planner struct {
	opts    *Options
	reader  dataset.Fields
	byExtra map[uintptr]string   // descriptions of files in messages, as text, by their maps
	byKey   map[string][]*source // by that text; several where files are alike
	extras  []map[string]any     // keeps the maps, so that no other gets their addresses
	sources []*source
	named   []dataset.Object // variables that name their source
	fields  []dataset.Object
}

// properties is the attribute _NCProperties of a new file.
func (o *Options) properties() string {
	if o.Program == "" {
		return ""
	}
	return "version=2," + o.Program
}

func (b *planner) selecting() bool { return len(b.opts.Variables) > 0 || b.opts.Selected }

func (b *planner) add(o dataset.Object) {
	if o.Base.Namespace(mapping.KeyNetCDF) == nil || !b.opts.Dataset.Change.IsZero() { // changed variables are no longer the file
		b.fields = append(b.fields, o)
		return
	}
	if o.Base.Source() != "" {
		b.named = append(b.named, o)
		return
	}
	name := o.Base.Name(nil)
	b.sourceOf(&o, name).add(o, name)
}

// add adds an object to the file.
func (s *source) add(o dataset.Object, name string) {
	if s.objects[name] == nil {
		s.order = append(s.order, name)
	}
	s.objects[name] = append(s.objects[name], o)
}

// addNamed adds the files of the variables that name their source, and returns notes on them. Files
// are in the order of their first objects.
func (b *planner) addNamed(ctx context.Context) []string {
	read := func(ref int) (*tgm.Array, error) { return dataset.Read(ctx, b.reader, ref, nil) }
	files, notes := dataset.NetCDFFiles(b.named, read)
	for _, objects := range files {
		s := b.newSource(&objects[0])
		for _, o := range objects {
			s.add(o, o.Base.Name(nil))
		}
		b.sources = append(b.sources, s)
	}
	first := func(s *source) int { return s.objects[s.order[0]][0].Ref }
	slices.SortStableFunc(b.sources, func(x, y *source) int { return cmp.Compare(first(x), first(y)) })
	return notes
}

// newSource is the file of an object, without objects.
func (b *planner) newSource(o *dataset.Object) *source {
	s := &source{objects: make(map[string][]dataset.Object), seen: make(map[string]bool), reader: b.reader, selected: b.selecting()}
	s.layout = o.Base.NetCDFLayout()
	if n, ok := o.Base.NetCDF(); ok && n.File != nil {
		s.file = n.File
	}
	return s
}

// kind is the format of the file, or the format of netCDF that holds the file.
func (s *source) kind() netcdf.Kind {
	if kind := netcdf.Kind(s.layout.Kind); kind != netcdf.Zarr {
		return kind
	}
	return netcdf.NetCDF4
}

// addBare adds the files without variables.
func (b *planner) addBare() {
	known := make(map[string]bool) // sources
	for _, message := range b.opts.Bare {
		for _, of := range mapping.NetCDFFiles(message) {
			s := &source{reader: b.reader, file: of.NetCDFFile(), layout: of.NetCDFLayout()}
			if s.layout != nil && len(s.layout.Variables) == 0 && (of.Source() == "" || !known[of.Source()]) {
				known[of.Source()] = true
				b.sources = append(b.sources, s)
			}
		}
	}
}

// sourceOf is the file that an object belongs to. Messages that say the same of their file are
// parts of one, until a variable or a record comes again.
func (b *planner) sourceOf(o *dataset.Object, name string) *source {
	key := b.keyOf(o)
	for _, s := range b.byKey[key] {
		if !s.has(o, name) {
			return s
		}
	}
	s := b.newSource(o)
	s.has(o, name)
	b.byKey[key] = append(b.byKey[key], s)
	b.sources = append(b.sources, s)
	return s
}

// has reports whether the file has the object's variable, or record, and notes it.
func (s *source) has(o *dataset.Object, name string) bool {
	record, _ := o.Base.RecordIndex()
	key := fmt.Sprint(record, " ", name)
	if s.seen[key] {
		return true
	}
	s.seen[key] = true
	return false
}

// keyOf is the description of an object's file in its message, as text.
func (b *planner) keyOf(o *dataset.Object) string {
	extra := o.Base.Message()
	pointer := reflect.ValueOf(extra).Pointer()
	if key, ok := b.byExtra[pointer]; ok {
		return key
	}
	key := fmt.Sprint(extra[mapping.KeyNetCDF])
	b.byExtra[pointer], b.extras = key, append(b.extras, extra)
	return key
}

// file plans a file that was netCDF.
func (b *planner) file(s *source) (*File, []string, error) {
	guessed := s.layout == nil
	if guessed {
		s.guessLayout()
	}
	m, err := s.tree()
	if err != nil {
		if len(s.order) > 0 {
			err = fmt.Errorf("the netCDF file of %s: %w", s.objects[s.order[0]][0].Where, err)
		}
		return nil, nil, err
	}
	f := &File{Kind: b.opts.Kind, root: m.root, vars: m.vars, opts: b.opts}
	if f.Kind == "" {
		f.Kind = s.kind()
	}
	f.written, f.free = s.layout.Written, s.layout.HeaderFree // the same file again
	f.bare = f.written == "" && !guessed && f.Kind == s.kind()
	if s.layout.Leftovers != nil {
		f.rest = *s.layout.Leftovers
	}
	if f.Kind == netcdf.NetCDF4 && !b.selecting() {
		f.vars = m.linkVariables()
	}
	if f.Kind != netcdf.NetCDF4 {
		m.dropLinks()
	}
	if f.Kind != s.kind() || s.starts != nil {
		f.written, f.free, f.rest = b.opts.properties(), 0, mapping.LayoutLeftovers{}
	}
	if b.selecting() {
		m.selectVariables(f, b.opts.Variables)
	}
	if !b.selecting() {
		m.referenceVariables(f.Kind)
	}
	m.settleReferences(f.Kind)
	if err := b.opts.storage(f); err != nil {
		return nil, nil, err
	}
	return f, m.notes, nil
}
