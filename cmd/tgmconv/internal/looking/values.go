package looking

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/export"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/terminal"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/safetext"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
)

// valuesFlags are the flags of values.
type valuesFlags struct {
	where       []string
	changes     dataset.Change
	index       []string
	slice       string
	lat, lon    float64
	place       bool
	coordinates bool
	format      string
	output      string
}

// valueFormats are the values of --format.
var valueFormats = []string{"csv", "json", "npy", formatTable}

const formatTable = "table"

// NewValues returns the verb values.
func NewValues() *cobra.Command {
	var f valuesFlags
	return cli.Verb{
		Use:   "values [flags] FILE...",
		Short: "Print the values of fields: as CSV, JSON, or for numpy",
		Long: `Print the values of fields, one per line. Numbers are exact, with the fewest digits that read back as the same value.
A missing value is empty (CSV), null (JSON) or NaN (npy).

--lat and --lon take the point nearest to a place, in degrees; --index takes a point by its position, --slice a part
of each field. --coordinates adds latitudes and longitudes. --format table is for people, and the default on a
terminal for points: it has units, the time of validity, the distance to the place, and as many decimals as the
packing gives. With --format npy, fields of one shape make one array, whose first axis counts the fields.

--slice takes, for each axis, a number or START:STOP:STEP, counted from 0 and without STOP, as in Python:
0:10:2,5 is the sixth column of every second of the first ten rows. Further axes are taken whole.

` + anyInputHelp,
		Example: `  tgmconv values -w shortName=2t --lat 50.1 --lon 8.7 forecast.grib2
  tgmconv values -w shortName=2t --coordinates -o 2t.csv forecast.grib2
  tgmconv values -w name=t2m --index 10,20 --format json t2m.nc
  tgmconv values -w shortName=2t --slice 0:10:2,5 forecast.grib2
  tgmconv values -w shortName=t --format npy -o t.npy forecast.grib2`,
		Options: func(s *option.Set) {
			cli.DeclareMissing(s)
			cli.DeclareWhere(s, &f.where, "take only fields that match KEY=VALUE, KEY!=VALUE, KEY>VALUE, …")
			f.changes.Declare(s)
			s.Each("index/i", &f.index, "take the value at this position, from 0: one number, or one for each axis (j,i)")
			s.Text("slice", &f.slice, "take a part: a number or START:STOP:STEP for each axis, such as 0:10:2,5")
			s.Number("lat", &f.lat, "take the value nearest to this latitude, in degrees north, with --lon")
			s.Number("lon", &f.lon, "take the value nearest to this longitude, in degrees east, with --lat")
			s.Bool("coordinates", &f.coordinates, "add the latitude and longitude of each value")
			s.Word("format/f", &f.format, valueFormats, "csv, json, npy or table; default: csv, or a table of points on a terminal")
			cli.DeclareOutput(s, &f.output, "file to write; default: standard output")
		},
		OneOf: []string{"index", "lat", "slice"},
		Run:   f.run,
	}.Command()
}

func (f *valuesFlags) run(cmd *cobra.Command, names []string) error {
	if f.format == "" {
		f.format = "csv"
		if points := cmd.Flags().Changed("lat") || len(f.index) > 0; points && f.output == "" && terminal.Is(cmd.OutOrStdout()) {
			f.format = formatTable
		}
	}
	if f.place = cmd.Flags().Changed("lat"); f.place != cmd.Flags().Changed("lon") {
		return cli.Usagef("--lat and --lon go together")
	}
	if f.place && !(f.lat >= -90 && f.lat <= 90 && f.lon >= -360 && f.lon <= 360) {
		return cli.Usagef("--lat %v --lon %v is not a valid place, expected a latitude from -90 to 90 and a longitude from -360 to 360", f.lat, f.lon)
	}
	if f.format == "npy" && (f.place || f.coordinates || len(f.index) > 0) {
		return cli.Usagef("--format npy writes whole fields: --index, --lat, --lon and --coordinates go with csv and json")
	}
	positions, err := parsePositions(f.index)
	if err != nil {
		return err
	}
	slices, err := export.ParseSlices(f.slice)
	if err != nil {
		return cli.Usagef("--slice is %w", err)
	}
	if err := cli.NotAnInput(f.output, names); err != nil {
		return err
	}
	chosen, err := chooseFields(cmd, names, f.where, &f.changes, look.Options{Slices: true, Coordinates: len(f.where) > 0})
	if err != nil {
		return err
	}
	defer chosen.Close()
	if f.place || f.coordinates {
		if err := chosen.withPlaces(); err != nil {
			return err
		}
	}
	out, err := cli.OpenOutput(cmd, f.output)
	if err != nil {
		return err
	}
	defer out.Abort()
	if f.format == "npy" && f.output == "" && terminal.Is(cmd.OutOrStdout()) {
		return cli.Usagef("the output would go to the terminal: name a file with -o, or redirect it")
	}
	if !f.place && len(positions) == 0 && len(slices) == 0 {
		bytes := 0.0
		for _, field := range chosen.fields {
			bytes += f.bytesPerValue() * nd.Estimate(field.Shape, 1)
		}
		if err := cli.CheckWork(cmd, chosen.Archive, bytes); err != nil {
			return err
		}
	}
	if f.place || len(positions) > 0 {
		if err := checkFields(cmd, chosen); err != nil {
			return err
		}
	}
	if f.place || f.coordinates {
		if err := checkGrids(cmd, chosen); err != nil {
			return err
		}
		if err := chosen.computed(cmd.Context(), false); err != nil {
			return err
		}
	}
	selection := export.Selection{Positions: positions, Slices: slices, Coordinates: f.coordinates}
	if f.place {
		selection.Place = &export.Place{Lat: f.lat, Lon: f.lon}
		if err := warnOutside(cmd, chosen.fields, *selection.Place); err != nil {
			return err
		}
	}
	if err := f.write(cmd.Context(), cli.OutputTo(out), chosen.fields, selection); err != nil {
		return err
	}
	if err := chosen.finish(cmd); err != nil {
		return err
	}
	return cli.Written(out.Commit())
}

// bytesPerValue is about how many bytes of the output a value takes.
func (f *valuesFlags) bytesPerValue() float64 {
	if f.format == "npy" {
		return 8
	}
	return 40
}

func (f *valuesFlags) write(ctx context.Context, w io.Writer, fields []*look.Field, s export.Selection) error {
	switch f.format {
	case formatTable:
		return writeTable(ctx, w, fields, s)
	case "npy":
		return export.NPY(ctx, w, fields, s.Slices)
	case "json":
		return export.JSON(ctx, w, fields, s)
	}
	return export.CSV(ctx, w, fields, s)
}

// writeTable writes values for people.
func writeTable(ctx context.Context, w io.Writer, fields []*look.Field, s export.Selection) error {
	var columns []terminal.Column
	for _, title := range export.TableTitles(s) {
		text := title == "name" || title == "valid time" || title == "labels" || title == mapping.KeyUnits
		columns = append(columns, terminal.Column{Title: title, Right: !text})
	}
	t := terminal.NewTable(columns)
	err := export.Table(ctx, fields, s, func(cells []string) {
		for i := range cells {
			cells[i] = safetext.Line(cells[i])
		}
		t.Add(cells)
	})
	if err == nil {
		t.Write(w, terminal.Palette{})
	}
	return err
}

// warnOutside says that a place is farther from the nearest point of a grid than points are from each other.
func warnOutside(cmd *cobra.Command, fields []*look.Field, place export.Place) error {
	warned := make(map[string]bool)
	for _, field := range fields {
		kilometres, outside, err := export.Outside(cmd.Context(), field, place)
		if err != nil {
			return err
		}
		text := fmt.Sprintf("the place is outside the grid: the nearest point is %.0f km away", kilometres)
		if outside && !warned[text] {
			warned[text] = true
			cli.Warn(cmd, field.Name+": "+text)
		}
	}
	return nil
}

// parsePositions reads the values of --index.
func parsePositions(texts []string) (positions [][]uint64, err error) {
	for _, text := range texts {
		position, err := export.ParsePosition(text)
		if err != nil {
			return nil, cli.Usagef("--index is %w", err)
		}
		positions = append(positions, position)
	}
	return positions, nil
}
