package dataset

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/tgm"
)

// A sourceFile is the variables of one netCDF or .tet file.
type sourceFile struct {
	name    string
	place   string // the name; of one of several in a file of messages, with its first message
	objects []Object
	again   []Object // whose variables are among objects with other values
}

// A variableOf is a variable of a source, or a record of it.
type variableOf struct {
	source int
	name   string
	record uint64
}

// NetCDFFiles divides objects that were netCDF variables among the files that they come from, in order.
// Variables that are there twice are left out. The notes list unknown attributes and files. read, which may
// be nil, is for comparing values, as [Options].Read.
func NetCDFFiles(objects []Object, read func(ref int) (*tgm.Array, error)) (files [][]Object, notes []string) {
	where := make(map[int]string)
	for _, o := range objects {
		where[o.Ref] = o.Where
	}
	report := &Report{locate: func(ref int) string { return where[ref] }}
	for _, o := range objects {
		report.add(o.Ref)
	}
	for _, s := range netcdfSources(objects, &Options{Read: read}, report) {
		files = append(files, s.objects)
	}
	return files, report.notes
}

// netcdfSources are the netCDF files that objects come from, in order. Objects of one source belong
// together, in whatever files of messages they are. Unknown properties of the files are reported.
func netcdfSources(objects []Object, opts *Options, report *Report) []*sourceFile {
	var members mapping.Sources
	var sources []*sourceFile
	first, guessed := make(map[variableOf]*Object), make(map[string]bool)
	for i := range objects {
		o := &objects[i]
		record, _ := o.recordIndex()
		m := members.Add(o.Base, o.File, o.Message, record)
		if m.Source == len(sources) {
			sources = append(sources, &sourceFile{name: o.File, place: o.File})
		}
		if m.Guessed && !guessed[o.File] {
			guessed[o.File] = true
			report.note("%s: message %d holds the variables of several netCDF files, merged by an earlier release: which belong together follows from their order",
				o.File, o.Message)
		}
		s, key := sources[m.Source], variableOf{m.Source, o.Base.Name(nil), record}
		before := first[key]
		switch {
		case before == nil:
			first[key] = o
			s.objects = append(s.objects, *o)
		case sameVariable(before, o, opts):
			report.hidden(o.Ref, "the same variable of the same source is shown, "+report.locate(before.Ref))
		default:
			s.again = append(s.again, *o)
		}
	}
	sources = withVersions(sources)
	for _, s := range sources {
		s.describe(guessed[s.name] && s.objects[0].Base.Source() == "", report)
	}
	namePlaces(sources)
	return sources
}

// sameVariable reports whether two objects of a source are the same variable. Values that are too
// many to be compared, or cannot be read, are taken to be the same.
func sameVariable(first, o *Object, opts *Options) bool {
	if first.DType != o.DType || !slices.Equal(first.Shape, o.Shape) {
		return false
	}
	for _, key := range []string{mapping.KeyNetCDF, mapping.KeyTet} {
		if !reflect.DeepEqual(first.Base.Namespace(key), o.Base.Namespace(key)) {
			return false
		}
	}
	if opts.Read == nil || rowBytes(append([]uint64{0}, o.Shape...), o.DType) > maxCompared {
		return true
	}
	x, y := readWhole(first, opts.Read), readWhole(o, opts.Read)
	return x == nil || y == nil || sameValues(x, y, o)
}

// withVersions puts after each source its versions with other values. Each version is with the coordinates
// and other variables that it needs of the source.
func withVersions(sources []*sourceFile) (all []*sourceFile) {
	for _, s := range sources {
		all = append(all, s)
		versions := make([]*sourceFile, 0, 1)
		count := make(map[variableOf]int)
		for _, o := range s.again {
			record, _ := o.recordIndex()
			key := variableOf{name: o.Base.Name(nil), record: record}
			if count[key] == len(versions) {
				versions = append(versions, &sourceFile{name: s.name, place: s.place})
			}
			v := versions[count[key]]
			v.objects = append(v.objects, o)
			count[key]++
		}
		for _, v := range versions {
			v.borrow(s.objects)
		}
		all = append(all, versions...)
	}
	return all
}

// borrow adds the metadata that the objects need from others of their source.
func (f *sourceFile) borrow(others []Object) {
	var b cf.Belongings
	has := make(map[string]bool)
	for _, o := range f.objects {
		b.Add(o.Base, o.File, o.Message, len(o.Shape), recordOf(&o))
		has[o.Base.Name(nil)] = true
	}
	for _, o := range others {
		b.Add(o.Base, o.File, o.Message, len(o.Shape), recordOf(&o))
	}
	own := make([]int, len(f.objects))
	for i := range own {
		own[i] = i
	}
	for _, i := range b.With(own) {
		if i -= len(own); i >= 0 && !has[others[i].Base.Name(nil)] {
			f.objects = append(f.objects, others[i])
		}
	}
}

func recordOf(o *Object) (record mapping.Opt[uint64]) {
	record.Value, record.Known = o.recordIndex()
	return record
}

// describe gives all objects the description of the file that some message has. If the objects are only
// guessed to belong together, a description without their variables is of another file: it is dropped and
// reported.
func (f *sourceFile) describe(guessed bool, report *Report) {
	i := slices.IndexFunc(f.objects, func(o Object) bool { return o.Base.IsDescribed() })
	if i < 0 {
		if o := &f.objects[0]; o.Base.Source() != "" {
			report.note("%s: the attributes of the netCDF file of %s are lost: no message describes its source", o.File, o.Base.Name(nil))
		}
		return
	}
	message := f.objects[i].Base.Message()
	if guessed && !f.isOf(f.objects[i].Base.NetCDFLayout()) {
		report.note("%s: the attributes of the netCDF file of %s are lost: its message describes another file", f.name, f.objects[0].Base.Name(nil))
		message = nil
	}
	for i := range f.objects {
		if o := &f.objects[i]; message == nil || !o.Base.IsDescribed() {
			_, base := o.Base.Maps()
			o.Base = mapping.ReadIn(message, base)
		}
	}
}

// isOf reports whether a layout has all variables of the file.
func (f *sourceFile) isOf(layout *mapping.NetCDFLayout) bool {
	if layout == nil {
		return true
	}
	names := make(map[string]bool)
	for _, v := range layout.Variables {
		names[v.Name] = true
	}
	return !slices.ContainsFunc(f.objects, func(o Object) bool { return !names[o.Base.Name(nil)] })
}

// namePlaces adds to each of several sources in a file of messages the place where it begins.
func namePlaces(sources []*sourceFile) {
	files, messages := make(map[string]int), make(map[string]int)
	message := func(s *sourceFile) string { return fmt.Sprintf("%s: message %d", s.name, s.objects[0].Message) }
	for _, s := range sources {
		files[s.name]++
		messages[message(s)]++
	}
	for _, s := range sources {
		if files[s.name] > 1 {
			if s.place = message(s); messages[s.place] > 1 {
				s.place = strings.Join([]string{s.place, fmt.Sprintf("object %d", s.objects[0].Index)}, ", ")
			}
		}
	}
}
