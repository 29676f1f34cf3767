// Package fromnetcdf reads netCDF files as an [importers.Source]: each variable of every group is a
// field, named by its path ("t2m", "forecast/t2m").
//
// Variables with scale_factor or add_offset are unpacked: value = packed·scale_factor + add_offset,
// in float64, or in float32 where CF says so. A conversion that keeps the source's encoding keeps
// the integers instead. Elements equal to _FillValue or missing_value of floating-point and
// unpacked variables are missing points; other integers keep their type and their numbers, read as
// unsigned where the attribute _Unsigned says it.
//
// Text and opaque elements become bytes with an axis for their length. A compound becomes a field
// for each member, named by its path. Sequences become two fields, the values and the lengths.
// Variables without a tensor form (references) are listed in the metadata of the message with their
// attributes. A file without variables becomes a message without objects.
package fromnetcdf

import (
	"context"
	"errors"
	"iter"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/netcdf"
)

// Split is how variables are divided among messages.
type Split int

// The ways of splitting.
const (
	SplitFile     Split = iota // one message for each file
	SplitVariable              // one for each variable
	SplitRecord                // one for each index of the first unlimited dimension, which is dropped from the shapes
)

// ErrNoVariables is the error for a file without a variable that can be converted.
var ErrNoVariables = errors.New("the file has no variables that can be converted")

// Options configure a source.
type Options struct {
	Split Split
	CF    bool // add the attributes of the CF conventions as base[i].cf

	// Variables and Groups are patterns, in which * stands for any text, ** for any groups. A variable must
	// match both, and Where. The coordinates, bounds and grid mappings of the chosen variables are converted as
	// well. If all three are empty, all variables are converted.
	Variables []string // of names, or of paths where there is a slash in them
	Groups    []string // of the groups that variables are in or below
	Where     mapping.Clauses

	// Missing are numbers that mean a missing point without an attribute: variables that can have such a
	// stored element are read as if their attribute missing_value had them as well.
	Missing []float64

	// MaxMemory is how many bytes an array of a Zarr store may take that becomes one object. A store with a
	// larger one is split as SplitRecord does it, unless its records are very small. 0 means any number.
	MaxMemory int64

	// MaxArray bounds the memory in bytes of texts and sequences that a file stores in few bytes. It counts
	// only above 256 MiB.
	MaxArray int64

	// Opener opens the inputs; nil is a storage.Client without settings.
	Opener importers.Opener

	// Model reads the metadata of inputs of another format that has netCDF's data model, Format; nil
	// means netCDF files.
	Model  func(in *importers.InputFile) (*netcdf.File, error)
	Format importers.Format
}

// idleFiles is how many inputs stay open that are not in use. Each may hold some
// decoded chunks.
const idleFiles = 2

// Source is an importers.Source over netCDF files.
type Source struct {
	inputs  []importers.Input
	opts    Options
	files   *importers.OpenFiles[*file]
	windows windows
	asked   mapping.Asked
}

// New returns a source of the inputs, in their order. Nothing is opened yet. A source without
// inputs reads the parts that another source has listed.
func New(inputs []importers.Input, opts Options) *Source {
	if opts.Model == nil {
		opts.Format = importers.FormatNetCDF
	}
	s := &Source{inputs: inputs, opts: opts}
	s.files = importers.NewOpenFiles(opts.Opener, idleFiles, s.newFile)
	return s
}

// UnknownKeys returns the keys of Options.Where that no variable has had so far.
func (s *Source) UnknownKeys() []string { return s.asked.Unknown() }

// Size returns 0: the size is not known before the files are opened.
func (s *Source) Size() int64 { return 0 }

// Close closes the inputs.
func (s *Source) Close() error { return s.files.Close() }

// Parts lists the variables of the inputs, or their records.
func (s *Source) Parts(ctx context.Context) iter.Seq2[importers.Part, error] {
	return s.files.Parts(ctx, s.inputs, s.opts.Format, func(index int, opened *importers.OpenFile[*file]) iter.Seq2[importers.Part, error] {
		return func(yield func(importers.Part, error) bool) {
			f := opened.Parsed
			if err := f.parse(); err != nil {
				yield(importers.Part{}, err)
				return
			}
			n, err := f.plan()
			for _, r := range f.refused {
				if !yield(importers.Part{}, r) {
					return
				}
			}
			if len(f.notes) > 0 && !yield(importers.Part{Notes: f.notes, LeftOut: f.leftOut}, nil) {
				return
			}
			if err != nil {
				yield(importers.Part{}, err)
				return
			}
			i := int64(0)
			for p := range f.parts(ctx, index) {
				// The share of a part in the file is not known without reading indexes: progress counts parts.
				p.Bytes = f.Size()*(i+1)/n - f.Size()*i/n
				if i++; !yield(p, nil) {
					return
				}
			}
		}
	})
}

// Read reads the description of a variable; its values are read when they are asked for.
func (s *Source) Read(ctx context.Context, p importers.Part, _ *importers.Scratch) iter.Seq2[*importers.Field, error] {
	return importers.ReadOne(p, func(p importers.Part) (*importers.Field, error) { return s.read(ctx, p) })
}

func (s *Source) read(ctx context.Context, p importers.Part) (*importers.Field, error) {
	opened, err := s.files.Acquire(ctx, p.Input)
	if err != nil {
		return nil, err
	}
	defer opened.Release()
	if p.Variable == "" {
		return opened.Parsed.bare(&p)
	}
	part, err := opened.Parsed.find(&p)
	if err != nil {
		return nil, err
	}
	return opened.Parsed.field(ctx, &p, part)
}
