package main

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/internal/plot/colour"
	"github.com/tgmconv/tgmconv/internal/plot/png24"
	"github.com/tgmconv/tgmconv/internal/plot/screen"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/plot"
)

// plotFlags are the flags of plot.
type plotFlags struct {
	where      []string
	changes    changeFlags
	output     string
	terminal   string
	width      int
	projection string
	table      string
	min, max   float64
	animate    bool
	each       time.Duration
	columns    int
	noCoast    bool
}

func newPlot() *cobra.Command {
	var f plotFlags
	cmd := &cobra.Command{
		Use:   "plot [flags] FILE... [OUT.png]",
		Short: "Draw maps of fields, as PNG or in the terminal",
		Long: `Draw maps of fields with coastlines: as a PNG file, or without -o in the terminal. Several fields make a sheet, or with
--animate an animated PNG. Any grid with known coordinates is drawn, in a projection that suits it, and each pixel
has the colour of the grid point nearest to it. The colour table suits the parameter; fields of one parameter share a scale.

In the terminal pictures are half blocks in 24-bit or 256 colours, which environment variables decide; --terminal chooses.

` + anyInputHelp,
		Example: `  tgmconv plot -w shortName=2t -o 2t.png forecast.grib2
  tgmconv plot -w shortName=t,level=500/850 -o t.png forecast.grib2
  tgmconv plot -w name=t2m --animate -o t2m.png t2m.nc
  tgmconv plot -w shortName=2t forecast.grib2 2t.png
  tgmconv plot -w shortName=2t forecast.grib2`,
		Args: usageArgs(atLeastOneInput),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	missingFlag(cmd)
	flags.StringArrayVarP(&f.where, "where", "w", nil, "draw only fields that match KEY=VALUE, KEY!=VALUE, KEY>VALUE, …")
	f.changes.register(cmd)
	flags.StringVarP(&f.output, "output", "o", "", "PNG file to write; default: the terminal")
	flags.StringVar(&f.terminal, "terminal", "auto", "how to show pictures in the terminal: auto, blocks, 256 or ascii")
	flags.IntVar(&f.width, "width", 1000, "width of the picture in pixels, 64 to 10000")
	flags.StringVar(&f.projection, "projection", "auto", "projection of the map: auto, latlon, mercator, stereographic, lambert or orthographic")
	flags.StringVar(&f.table, "colours", "", "colour table: "+strings.Join(colour.Names(), ", ")+", or one of these backwards (viridis_r); default: what suits the parameter")
	flags.Float64Var(&f.min, "min", math.NaN(), "value at the lower end of the colours")
	flags.Float64Var(&f.max, "max", math.NaN(), "value at the upper end of the colours")
	flags.BoolVar(&f.animate, "animate", false, "write an animated PNG, a field after the other")
	flags.DurationVar(&f.each, "delay", 500*time.Millisecond, "how long each picture of an animation is shown")
	flags.IntVar(&f.columns, "columns", 0, "columns of a sheet; default: as many as make it about square")
	flags.BoolVar(&f.noCoast, "no-coastlines", false, "draw no coastlines")
	for _, name := range []string{"min", "max"} {
		flags.Lookup(name).DefValue = "that of the values"
	}
	completeWords(cmd, "terminal", append([]string{"auto"}, screen.Protocols()...))
	completeWords(cmd, "projection", plot.Projections())
	completeWords(cmd, "colours", colour.Names())
	return cmd
}

// maxPanels bounds the fields of a sheet: more are too small to see.
const maxPanels = 100

// check checks the flags.
func (f *plotFlags) check() error {
	if err := oneOf("terminal", f.terminal, append([]string{"auto"}, screen.Protocols()...)); err != nil {
		return err
	}
	if err := oneOf("projection", f.projection, plot.Projections()); err != nil {
		return err
	}
	if f.table != "" {
		if err := oneOf("colours", strings.TrimSuffix(f.table, "_r"), colour.Names()); err != nil {
			return err
		}
	}
	switch {
	case f.width < 64 || f.width > 10000:
		return usagef("--width is %d, expected 64 to 10000", f.width)
	case otherPicture(f.output):
		return usagef("-o is %q, expected the name of a PNG file", f.output)
	case f.animate && f.output == "":
		return usagef("--animate needs a file: -o FILE.png")
	case f.each < time.Millisecond || f.each > time.Minute:
		return usagef("--delay is %v, expected 1ms to 1m", f.each)
	case f.min >= f.max:
		return usagef("--min %v is not below --max %v", f.min, f.max)
	}
	return nil
}

// otherPicture reports whether a name is that of a picture which is no PNG.
func otherPicture(name string) bool {
	return slices.Contains([]string{".jpg", ".jpeg", ".gif", ".svg", ".pdf", ".webp", ".tif", ".tiff"}, strings.ToLower(filepath.Ext(name)))
}

func (f *plotFlags) run(cmd *cobra.Command, names []string) error {
	if err := f.check(); err != nil {
		return err
	}
	if err := notAnInput(f.output, names); err != nil {
		return err
	}
	chosen, err := chooseFields(cmd, names, f.where, &f.changes, look.Options{Slices: true})
	if err != nil {
		return err
	}
	defer chosen.Close()
	if err := chosen.withPlaces(); err != nil {
		return err
	}
	if err := checkGrids(cmd, chosen); err != nil {
		return err
	}
	if err := chosen.computed(cmd.Context(), true); err != nil {
		return err
	}
	if len(chosen.fields) <= maxPanels || f.animate {
		if err := checkFields(cmd, chosen); err != nil {
			return err
		}
	}
	fields := chosen.fields
	switch {
	case f.animate:
		err = f.animation(cmd, fields)
	case len(fields) > maxPanels:
		return fmt.Errorf("%d fields are too many for a sheet, %d fit: choose some with --where, or draw them with --animate", len(fields), maxPanels)
	default:
		err = f.sheet(cmd, fields)
	}
	if err != nil {
		return err
	}
	return chosen.finish(cmd)
}

func (f *plotFlags) scaleOptions() plot.ScaleOptions {
	return plot.ScaleOptions{Table: colour.Named(f.table), Min: f.min, Max: f.max}
}

func (f *plotFlags) sheet(cmd *cobra.Command, fields []*look.Field) error {
	var panels []*plot.Panel
	for _, field := range fields {
		p, err := plot.NewPanel(cmd.Context(), field)
		if err != nil {
			return err
		}
		panels = append(panels, p)
	}
	opts := plot.Options{Width: f.width, Projection: f.projection, Columns: f.columns, NoCoast: f.noCoast}
	opts.Scales = plot.Scales(panels, f.scaleOptions())
	if f.output == "" {
		return f.show(cmd, panels, opts)
	}
	img, err := plot.Draw(panels, opts)
	if err != nil {
		return err
	}
	out, err := openOutput(cmd, f.output)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := png24.Encode(out, img); err != nil {
		return written(err)
	}
	return written(out.Commit())
}

// animation reads the fields twice: for the scale, and to draw them. One is held at a time.
func (f *plotFlags) animation(cmd *cobra.Command, fields []*look.Field) error {
	scales, err := plot.FieldScales(cmd.Context(), fields, f.scaleOptions())
	if err != nil {
		return err
	}
	out, err := openOutput(cmd, f.output)
	if err != nil {
		return err
	}
	defer out.Abort()
	opts := plot.Options{Width: f.width, Projection: f.projection, NoCoast: f.noCoast}
	err = plot.Animate(out, len(fields), func(i int) (*plot.Panel, plot.Scale, error) {
		if err := cmd.Context().Err(); err != nil {
			return nil, plot.Scale{}, err
		}
		p, err := plot.NewPanel(cmd.Context(), fields[i])
		return p, scales[i], err
	}, f.each, opts)
	if err != nil {
		return err
	}
	return written(out.Commit())
}

var errNoTerminal = errors.New("no picture is named, as in tgmconv plot FILE MAP.png, and the output is no terminal (--terminal shows a picture all the same)")
