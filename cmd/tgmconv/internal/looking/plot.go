package looking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/screen"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/extract"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/plot"
)

// plotFlags are the flags of plot.
type plotFlags struct {
	where    []string
	over     [3][]string // clauses of the fields over the maps, in the order of overStyles
	changes  dataset.Change
	output   string
	terminal string
	section  string
	ends     []extract.Place // of the section
	maps     plot.Options
	scales   plot.ScaleOptions
	animate  bool
	each     time.Duration
}

// overStyles are the ways to draw a field over a map, which are flags.
var overStyles = [3]string{plot.Contour, plot.Barbs, plot.Arrows}

// NewPlot returns the verb plot.
func NewPlot() *cobra.Command {
	var f plotFlags
	cmd := cli.Verb{
		Use:   "plot [flags] FILE... [OUT.png]",
		Short: "Draw maps of fields, as PNG, SVG, PDF or GIF or in the terminal",
		Long: `Draw maps of fields with coastlines: as a PNG, SVG or PDF file, or without -o in the terminal. Several fields make a
sheet, or with --animate an animated PNG or a GIF. Any grid with known coordinates is drawn, in a suitable
projection. The colour table suits the parameter; fields of one parameter share a scale.

--style says how fields are drawn. With cells each pixel has the colour of the nearest grid point; filled
contours, isolines and winds are interpolated between grid points. Barbs and arrows need both components of a wind.
--contour, --barbs and --quiver draw other fields of the same time and member over the maps: --contour
shortName=msl draws isolines of the pressure over a map of the temperature.

--section draws a section through all levels of a field instead of a map, along the line between two places.

In the terminal, pictures are half blocks in 24-bit or 256 colours, by the environment; --terminal chooses another form.

` + anyInputHelp,
		Example: `  tgmconv plot -w shortName=2t -o 2t.png forecast.grib2
  tgmconv plot -w shortName=t,level=500/850 -o t.pdf forecast.grib2
  tgmconv plot -w shortName=2t --style contourf --units degC,hPa --contour shortName=msl --barbs shortName=10u forecast.grib2 2t.png
  tgmconv plot -w shortName=10u/10v --style quiver --bbox 60/-10/35/30 forecast.grib2 wind.svg
  tgmconv plot -w shortName=t --section 90,0/-90,0 forecast.grib2 section.png
  tgmconv plot -w name=t2m t2m.nc t2m.gif
  tgmconv plot -w shortName=2t forecast.grib2`,
		Options: func(s *option.Set) {
			cli.DeclareMissing(s)
			cli.DeclareWhere(s, &f.where, "draw only fields that match KEY=VALUE, KEY!=VALUE, KEY>VALUE, …")
			s.Each("contour", &f.over[0], "draw isolines of the fields that match, over the maps")
			s.Each("barbs", &f.over[1], "draw barbs of the winds that match, over the maps")
			s.Each("quiver", &f.over[2], "draw arrows of the winds that match, over the maps")
			f.changes.Declare(s)
			cli.DeclareOutput(s, &f.output, "PNG, SVG, PDF or GIF file to write; default: the terminal")
			s.Text("section", &f.section, "draw a section through all levels along a line, LAT,LON/LAT,LON, instead of a map")
			f.terminal = "auto"
			s.Word("terminal", &f.terminal, append([]string{"auto"}, screen.Protocols()...), "how to show pictures in the terminal: auto, blocks, 256 or ascii")
			f.maps.Declare(s)
			f.scales = plot.ScaleOptions{Min: math.NaN(), Max: math.NaN()}
			f.scales.Declare(s)
			s.Bool("animate", &f.animate, "write an animated PNG, one field after another; a GIF is always animated")
			plot.DeclareDelay(s, &f.each)
		},
		Run: f.run,
	}.Command()
	for _, name := range []string{"min", "max"} {
		cmd.Flags().Lookup(name).DefValue = "that of the values"
	}
	cmd.Flags().Lookup("interval").DefValue = "round numbers"
	return cmd
}

// maxPanels bounds the fields of a sheet: more are too small to see.
const maxPanels = 100

// format is the format of the picture.
func (f *plotFlags) format() string {
	switch cli.KindOf(f.output) {
	case cli.DrawingFiles:
		return "svg"
	case cli.PDFFiles:
		return "pdf"
	case cli.GIFFiles:
		return "gif"
	}
	return "png"
}

// check checks flags that depend on each other.
func (f *plotFlags) check() error {
	format := f.format()
	f.animate = f.animate || format == "gif"
	switch {
	case otherPicture(f.output):
		return cli.Usagef("-o is %q, expected the name of a PNG, SVG, PDF or GIF file", f.output)
	case f.animate && f.output == "":
		return cli.Usagef("--animate needs a file: -o FILE.png or FILE.gif")
	case f.animate && format != "png" && format != "gif":
		return cli.Usagef("--animate writes PNG or GIF, -o is %q", f.output)
	}
	if f.section != "" {
		var err error
		if f.ends, err = extract.ParsePlaces(strings.ReplaceAll(f.section, "/", ";")); err != nil {
			return cli.Usagef("--section is %w", err)
		}
		switch {
		case len(f.ends) != 2:
			return cli.Usagef("--section is %q, expected two places, LAT,LON/LAT,LON", f.section)
		case f.animate || f.wind() || len(f.over[1])+len(f.over[2]) > 0:
			return cli.Usagef("--section draws no animations and no winds")
		case f.output == "":
			return cli.Usagef("--section needs a file: -o FILE.png")
		}
	}
	f.scales.Bands = f.maps.Style == plot.FilledContour
	if f.scales.Bands && len(f.over[0]) == 0 {
		f.scales.Interval = f.maps.Interval
	}
	return nil
}

// otherPicture reports whether a name belongs to a picture in a format that is not written.
func otherPicture(name string) bool {
	return slices.Contains([]string{".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".eps", ".ps"}, strings.ToLower(filepath.Ext(name)))
}

func (f *plotFlags) run(cmd *cobra.Command, names []string) error {
	if err := f.check(); err != nil {
		return err
	}
	if err := cli.NotAnInput(f.output, names); err != nil {
		return err
	}
	chosen, err := f.choose(cmd, names, f.where)
	if err != nil {
		return err
	}
	defer chosen.Close()
	w := plotWork{plotFlags: f, fields: chosen.fields, source: chosen}
	if w.wind() {
		if w.fields, err = winds(w.fields, w.fields); err != nil {
			return err
		}
		w.all = chosen.fields
	}
	for i, clauses := range f.over {
		if len(clauses) == 0 {
			continue
		}
		over, err := f.choose(cmd, names, withNorthward(clauses, overStyles[i]))
		if err != nil {
			return fmt.Errorf("--%s: %w", overStyles[i], err)
		}
		defer over.Close()
		w.over[i], w.overSource[i] = over.fields, over
	}
	switch {
	case f.section != "":
		err = w.drawSection(cmd)
	case f.animate:
		err = w.animation(cmd)
	case len(w.fields) > maxPanels:
		return fmt.Errorf("%d fields are too many for a sheet, %d fit: choose some with --where, or draw them with --animate", len(w.fields), maxPanels)
	default:
		err = w.sheet(cmd)
	}
	if err != nil {
		return err
	}
	return chosen.finish(cmd)
}

// choose finds the fields that match.
func (f *plotFlags) choose(cmd *cobra.Command, names, clauses []string) (*chosenFields, error) {
	chosen, err := chooseFields(cmd, names, clauses, &f.changes, look.Options{Slices: true})
	if err != nil {
		return nil, err
	}
	err = chosen.withPlaces()
	if err == nil {
		err = checkGrids(cmd, chosen)
	}
	if err == nil {
		err = chosen.computed(cmd.Context(), true)
	}
	if err == nil && (len(chosen.fields) <= maxPanels || f.animate) {
		err = checkFields(cmd, chosen)
	}
	if err != nil {
		chosen.Close()
		return nil, err
	}
	return chosen, nil
}

// wind reports whether the fields of the maps are winds.
func (f *plotFlags) wind() bool { return f.maps.Style == plot.Barbs || f.maps.Style == plot.Arrows }

// winds are the components to the east among fields, of which all have a component to the north.
func winds(fields, all []*look.Field) (list []*look.Field, err error) {
	for _, f := range fields {
		if f.Northward(all) != nil {
			list = append(list, f)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s and the others make no wind: expected components to the east and to the north with the same labels, such as u and v", fields[0])
	}
	return list, nil
}

// alongRows reports whether the components of a wind lie along the rows and columns of its grid, which is of a type in
// GRIB. Where rows do not lie along parallels, an attribute or the header of the message says so.
func (c *chosenFields) alongRows(ctx context.Context, f *look.Field, gridType string) (bool, error) {
	if gridType == "" {
		gridType, _ = f.Attributes["GRIB_gridType"].(string)
	}
	if f.AlongRows() || gridType == "" || mapping.AlongMeridians(gridType) {
		return f.AlongRows(), nil
	}
	if along, ok := mapping.Int(f.Attributes[mapping.AttrAlongRows]); ok {
		return along != 0, nil
	}
	var header grib.Header
	var err error
	if c.Set == nil { // objects, not the variables of a dataset
		header, _, err = c.Header(ctx, f.Ref())
	}
	if err == nil && header == nil {
		err = fmt.Errorf("%s: the components of a wind on a grid of type %s may lie along its rows: no header of a GRIB message says whether", f.Where, gridType)
	}
	return err == nil && header.UVRelativeToGrid(), err
}

// withNorthward lets clauses that name a component of a wind to the east choose that to the north as well.
func withNorthward(clauses []string, style string) []string {
	if style == plot.Contour {
		return clauses
	}
	var list []string
	for _, text := range clauses {
		parts := strings.Split(text, ",")
		for i, part := range parts {
			key, values, is := strings.Cut(part, "=")
			if !is || strings.HasSuffix(key, "!") || strings.Contains(values, "/") {
				continue
			}
			if north := cmp.Or(mapping.Northward(values), mapping.NorthwardStandard(values), mapping.AcrossStandard(values)); north != "" {
				parts[i] = key + "=" + values + "/" + north
			}
		}
		list = append(list, strings.Join(parts, ","))
	}
	return list
}

// A plotWork draws the fields that were chosen.
type plotWork struct {
	*plotFlags
	fields []*look.Field
	all    []*look.Field    // with the components to the north
	over   [3][]*look.Field // those over the maps

	source     *chosenFields // of the fields
	overSource [3]*chosenFields
}

// panel reads a field and those over it.
func (w *plotWork) panel(ctx context.Context, field *look.Field) (*plot.Panel, error) {
	style := w.maps.Style
	p, err := w.read(ctx, w.source, field, w.all, style)
	if err != nil {
		return nil, err
	}
	for i, style := range overStyles {
		if len(w.over[i]) == 0 {
			continue
		}
		candidates := w.over[i]
		if style != plot.Contour {
			if candidates, err = winds(candidates, candidates); err != nil {
				return nil, fmt.Errorf("--%s: %w", style, err)
			}
		}
		over, err := belongs(field, candidates)
		if err != nil {
			return nil, fmt.Errorf("--%s: %w", style, err)
		}
		for _, o := range over {
			q, err := w.read(ctx, w.overSource[i], o, w.over[i], style)
			if err != nil {
				return nil, err
			}
			p.Over = append(p.Over, plot.Layer{Panel: q, Style: style})
		}
	}
	return p, nil
}

// read reads a field, of a wind both components.
func (w *plotWork) read(ctx context.Context, source *chosenFields, field *look.Field, all []*look.Field, style string) (*plot.Panel, error) {
	p, err := plot.NewPanel(ctx, field)
	if err != nil {
		return nil, err
	}
	if style == plot.Barbs || style == plot.Arrows {
		if p.North, err = plot.NewPanel(ctx, field.Northward(all)); err != nil {
			return nil, err
		}
		turn, err := source.alongRows(ctx, field, p.Grid.Type)
		if p.East = !turn; err == nil && turn {
			err = p.Turn(ctx, field)
		}
		if err != nil {
			return nil, err
		}
	}
	p.Convert(w.scales.Units)
	return p, nil
}

// belongs finds the fields that are drawn over another field: fields of its time and member and,
// among several of one name, the field of its level.
func belongs(field *look.Field, among []*look.Field) ([]*look.Field, error) {
	var list []*look.Field
	time, known := field.Validity()
	for _, f := range among {
		t, ok := f.Validity()
		if known && ok && !t.Equal(time) || field.Member.Known && f.Member.Known && field.Member.Value != f.Member.Value {
			continue
		}
		list = append(list, f)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no field is of the time and member of %s", field)
	}
	names := make(map[string]int)
	for _, f := range list {
		names[f.Name]++
	}
	list = slices.DeleteFunc(list, func(f *look.Field) bool { return names[f.Name] > 1 && f.Labels() != field.Labels() })
	if len(list) == 0 {
		return nil, fmt.Errorf("several fields could be drawn over %s: choose a level", field)
	}
	return list, nil
}

func (w *plotWork) sheet(cmd *cobra.Command) error {
	var panels []*plot.Panel
	for _, field := range w.fields {
		p, err := w.panel(cmd.Context(), field)
		if err != nil {
			return err
		}
		panels = append(panels, p)
	}
	opts := w.maps
	opts.Scales = plot.Scales(panels, w.scales)
	if w.output == "" {
		return w.show(cmd, panels, opts)
	}
	return w.write(cmd, func(out io.Writer) error { return plot.Write(out, w.format(), panels, opts) })
}

// drawSection draws all fields as one section.
func (w *plotWork) drawSection(cmd *cobra.Command) error {
	read := func(fields []*look.Field) (*plot.Section, error) {
		a, b := w.ends[0], w.ends[1]
		return plot.NewSection(cmd.Context(), fields, [2]float64{a.Lat, a.Lon}, [2]float64{b.Lat, b.Lon})
	}
	s, err := read(w.fields)
	if err != nil {
		return err
	}
	if over := w.over[0]; len(over) > 0 {
		o, err := read(over)
		if err != nil {
			return fmt.Errorf("--contour: %w", err)
		}
		s.Over = append(s.Over, o)
	}
	s.Convert(w.scales.Units)
	return w.write(cmd, func(out io.Writer) error { return plot.WriteSection(out, w.format(), s, w.maps, w.scales) })
}

// write makes a file of a picture.
func (f *plotFlags) write(cmd *cobra.Command, draw func(io.Writer) error) error {
	out, err := cli.OpenOutput(cmd, f.output)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := draw(cli.OutputWriter{W: out}); err != nil {
		return err
	}
	return cli.Written(out.Commit())
}

// animation reads the fields twice: for the scale, and to draw them. One is held at a time.
func (w *plotWork) animation(cmd *cobra.Command) error {
	scales, err := plot.FieldScales(cmd.Context(), w.fields, w.scales)
	if err != nil {
		return err
	}
	return w.write(cmd, func(out io.Writer) error {
		return plot.Animate(out, w.format(), len(w.fields), func(i int) (*plot.Panel, plot.Scale, error) {
			if err := cmd.Context().Err(); err != nil {
				return nil, plot.Scale{}, err
			}
			p, err := w.panel(cmd.Context(), w.fields[i])
			return p, scales[i], err
		}, w.each, w.maps)
	})
}

var errNoTerminal = errors.New("no picture is named, as in tgmconv plot FILE MAP.png, and the output is no terminal (--terminal shows a picture all the same)")
