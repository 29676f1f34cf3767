package cdl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/netcdf"
)

// Data chooses the variables whose values are written.
type Data int

// The choices of values.
const (
	NoData         Data = iota // the header alone: ncdump -h
	CoordinateData             // coordinate variables: ncdump -c
	AllData                    // every variable: ncdump without flags
)

// Options configure [Write]. The zero value writes the header.
type Options struct {
	// Name is the name of the data set in the first line. ncdump takes the name of the file without its folder
	// and extension.
	Name string
	Data Data
	// Variables are the variables whose values are written, whatever Data is: ncdump -v. A name
	// with slashes is a path from the root, or the end of one; a name without means the variable in
	// every group.
	Variables []string
}

// A NoVariableError reports a name in Options.Variables that no variable has.
type NoVariableError struct{ Name string }

func (e *NoVariableError) Error() string { return fmt.Sprintf("there is no variable %q", e.Name) }

// Write writes a file as CDL. It reads values in blocks of about 1 MB. Where attributes or values
// cannot be read, a comment says so; Write goes on, and returns these errors joined.
func Write(ctx context.Context, w io.Writer, f *netcdf.File, opts Options) error {
	for _, name := range opts.Variables {
		if !hasVariable(f.Root(), name) {
			return &NoVariableError{name}
		}
	}
	d := &dumper{ctx: ctx, out: bufio.NewWriterSize(w, 64<<10), opts: &opts}
	d.modern = f.Kind == netcdf.NetCDF4 || f.Kind == netcdf.Zarr
	d.printf("netcdf %s {\n", escapedName(opts.Name))
	if err := d.group(&scope{group: f.Root()}); err != nil {
		return err
	}
	d.printf("}\n")
	return errors.Join(append(d.unread, d.out.Flush())...)
}

// skip notes an unreadable part, as a comment on a line of its own.
func (d *dumper) skip(err error) {
	d.unread = append(d.unread, err)
	d.printf("%s// %s\n", d.indent, safetext.Line(err.Error()))
}

// hasVariable reports whether a name of Options.Variables means a variable of a group or of the groups in it.
func hasVariable(g *netcdf.Group, name string) bool {
	for _, v := range g.Vars {
		if listed(v) && means(name, g, v) {
			return true
		}
	}
	return slices.ContainsFunc(g.Groups, func(c *netcdf.Group) bool { return hasVariable(c, name) })
}

// means reports whether a name of Options.Variables means a variable of a group.
func means(name string, g *netcdf.Group, v *netcdf.Var) bool {
	at := strings.LastIndexByte(name, '/')
	if name[at+1:] != v.Name {
		return false
	}
	path := strings.TrimSuffix(g.Path, "/")
	return at < 0 || name[0] == '/' && path == name[:at] || name[0] != '/' && strings.HasSuffix(path, name[:at])
}

// A dumper writes one file.
type dumper struct {
	ctx    context.Context
	out    *bufio.Writer
	opts   *Options
	modern bool   // netCDF-4: a line break in text starts no new string
	indent string // of the group
	unread []error
	column int // where the line is, as put counts it
}

// printf writes text that is not wrapped. Errors of the writer are found by Flush.
func (d *dumper) printf(format string, args ...any) { fmt.Fprintf(d.out, format, args...) }

// Lines of values are wrapped after maxColumn characters.
const (
	maxColumn = 78
	continued = "    " // begins a line that continues another
)

// put writes text that is not split across lines. It begins a new line if the text is too long for this one.
func (d *dumper) put(s string) {
	if len(s)+d.column > maxColumn && len(s) > 2 {
		d.printf("\n%s%s", d.indent, continued)
		d.column = len(continued) + len(d.indent)
	}
	d.out.WriteString(s)
	d.column += len(s)
	if strings.HasSuffix(s, "\n") {
		d.column = len(d.indent)
	}
}

// A scope is a group with the groups around it.
type scope struct {
	group *netcdf.Group
	outer *scope // nil of the root
}

// group writes the content of a group, without its name.
func (d *dumper) group(s *scope) error {
	g := s.group
	d.types(s)
	d.dimensions(g)
	vars := slices.DeleteFunc(slices.Clone(g.Vars), func(v *netcdf.Var) bool { return !listed(v) })
	if len(vars) > 0 {
		d.printf("%svariables:\n", d.indent)
	}
	for _, v := range vars {
		d.printf("%s\t%s %s", d.indent, s.typeName(v.Type), escapedName(v.Name))
		d.dims(s, v.Dims)
		d.printf(" ;\n")
		d.attributes(s, v.Name, v.Attrs)
	}
	if len(g.Attrs) > 0 {
		title := "group"
		if s.outer == nil {
			title = "global"
		}
		d.printf("\n%s// %s attributes:\n", d.indent, title)
		d.attributes(s, "", g.Attrs)
	}
	if len(vars) > 0 && (d.opts.Data != NoData || len(d.opts.Variables) > 0) {
		d.printf("%sdata:\n", d.indent)
		for _, v := range vars {
			err := d.values(s, v)
			if stopped := d.stopped(); stopped != nil {
				return stopped
			}
			if err != nil {
				d.printf("\n")
				d.skip(err)
			}
		}
	}
	return d.groups(s)
}

// groups writes the groups in a group.
func (d *dumper) groups(s *scope) error {
	for _, c := range s.group.Groups {
		d.printf("\n%sgroup: %s {\n", d.indent, escapedName(c.Name))
		d.indent += "  "
		if err := d.group(&scope{c, s}); err != nil {
			return err
		}
		d.printf("%s} // group %s\n", d.indent, escapedName(c.Name))
		d.indent = d.indent[2:]
	}
	return d.stopped()
}

// stopped returns why there is no use in going on: the end of the context, or a failing writer.
func (d *dumper) stopped() error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	_, err := d.out.Write(nil)
	return err
}

func (d *dumper) dimensions(g *netcdf.Group) {
	if len(g.Dims) > 0 {
		d.printf("%sdimensions:\n", d.indent)
	}
	for _, dim := range g.Dims {
		if dim.Unlimited {
			d.printf("%s\t%s = UNLIMITED ; // (%d currently)\n", d.indent, escapedName(dim.Name), dim.Len)
		} else {
			d.printf("%s\t%s = %d ;\n", d.indent, escapedName(dim.Name), dim.Len)
		}
	}
}

// dims writes the dimensions of a variable.
func (d *dumper) dims(s *scope, dims []*netcdf.Dim) {
	for i, dim := range dims {
		before := ", "
		if i == 0 {
			before = "("
		}
		d.printf("%s%s%s", before, s.dimPrefix(dim), escapedName(dim.Name))
	}
	if len(dims) > 0 {
		d.printf(")")
	}
}

// listed reports whether the netCDF library lists a variable: whether it has a type for it.
func listed(v *netcdf.Var) bool { return known(v.Type) }

func known(t *netcdf.Type) bool {
	for _, f := range t.Fields {
		if !known(f.Type) && (f.Type.Class != netcdf.Array || !known(f.Type.Base)) {
			return false
		}
	}
	return t.Class <= netcdf.Compound && (t.Base == nil || known(t.Base))
}
