package looking

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/cli"
	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/series"
	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/extract"
	"github.com/tgmconv/tgmconv/internal/archive"
	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/plot/chart"
	"github.com/tgmconv/tgmconv/look"
)

// ExtractFlags are the flags of extract.
type ExtractFlags struct {
	where    []string
	changes  dataset.Change
	At       string
	bilinear bool
	Mask     string
	boxes    []string
	Polygon  string
	all      bool
	index    []string
	Over     []string
	stat     []string
	Format   string
	Output   string
}

// The values of --format.
const (
	FormatCSV     = "csv"
	FormatJSON    = "json"
	FormatParquet = "parquet"
	formatNetCDF  = "netcdf"
	formatCovJSON = "covjson"
	formatPNG     = "png"
	formatSVG     = "svg"
	formatPDF     = "pdf"
)

// extractFormats are the values of --format.
var extractFormats = []string{FormatCSV, FormatJSON, FormatParquet, formatNetCDF, formatCovJSON, formatPNG, formatSVG, formatPDF}

// NewExtract returns the verb extract.
func NewExtract() *cobra.Command {
	return new(ExtractFlags).Verb().Command()
}

// Verb returns the verb with the flags.
func (f *ExtractFlags) Verb() cli.Verb {
	return cli.Verb{
		Use:   "extract [flags] FILE...",
		Short: "Take points, series and areas out of fields, without decoding the rest",
		Long: `Take the values at points out of any number of fields, with a row for each point and field. Simple, CCSDS and IEEE
packing, and arrays in chunks, are decoded no further than the points need. Choose points with one of

  --at LAT,LON;LAT,LON…    the grid points nearest to places, in degrees; --bilinear interpolates
                           with --mask land:FILE or sea:FILE only points of land or sea, by a land-sea mask on the same grid
  --at FILE                places with names: a table (.csv) with the columns latitude, longitude and name, or
                           points of GeoJSON (.geojson, .json)
  --box N/W/S/E            all points in a box, over the date line if E is less than W
  --polygon FILE.geojson   all points in polygons
  --index J,I              points by their position, from 0: one number, or one for each axis
  --all                    all points

The columns are point (the name or number of the place, or the number of the point), latitude and longitude of the
point, its distance from the place in km, time of reference, step in hours, valid_time, number (of the ensemble
member), level, name, value and units. Missing values, and values at places outside the grid, are empty. Values are
exact.

--over number, step or time (several with commas) prints statistics instead of the values, such as --stat
mean,p10,p90 over the members of an ensemble. Their names end in the statistic: 2t_p10. Missing values are
left out; the statistic count is the number of other values.

The name of the output, or --format, chooses the format: CSV, JSON lines, Parquet, a netCDF file of time series at
stations (CF, discrete sampling geometry timeSeries), CoverageJSON (.covjson), or a chart (.png, .svg, .pdf). A chart has
a curve over time for each variable, level and point, or a profile over levels if all values have the same time, and
bands of quantiles for an ensemble. Objects are not read whole, so they are not compared with their hashes: validate
does that.

The first use of 1000 fields, of 64 MiB or of addresses writes an index to the user's cache folder, like the verb
index. The next use then reads only the bytes of the points of GRIB fields. Archives that have layers with a top and a
bottom, variables of netCDF, Zarr or .tet, or objects of other writers get no index: their metadata is read each time.

` + anyInputHelp,
		Example: `  tgmconv extract --at 50.1,8.7 -w shortName=2t forecast.grib2
  tgmconv extract --at "50.1,8.7;48.2,16.4" -o series.parquet archive/
  tgmconv extract --at stations.csv --bilinear -o series.nc forecast.tgm
  tgmconv extract --box 60/-10/35/30 -w shortName=2t -o europe.csv forecast.grib2
  tgmconv extract --at 50.1,8.7 --over number --stat mean,p10,p90 -o band.csv ensemble.grib2
  tgmconv extract --at 50.1,8.7 --sel level=850 -o series.png ensemble.grib2
  tgmconv extract --all -o table.parquet t2m.nc`,
		Options: f.declare,
		OneOf:   []string{"at", "box", "polygon", "index", "all"},
		Run:     f.run,
	}
}

func (f *ExtractFlags) declare(s *option.Set) {
	f.stat = []string{"mean"}
	cli.DeclareMissing(s)
	cli.DeclareWhere(s, &f.where, "take only fields that match KEY=VALUE, KEY!=VALUE, KEY>VALUE, …")
	f.changes.Declare(s)
	s.Text("at", &f.At, "take the points nearest to places: LAT,LON;LAT,LON… in degrees, or a file of places (.csv, .geojson)")
	s.Bool("bilinear", &f.bilinear, "interpolate between the four points around each place of --at")
	s.Text("mask", &f.Mask, "take the nearest points of land or of sea: land:FILE or sea:FILE, with a land-sea mask (land from 0.5 on)")
	s.Each("box", &f.boxes, "take all points in a box: NORTH/WEST/SOUTH/EAST in degrees")
	s.Text("polygon", &f.Polygon, "take all points in the polygons of a GeoJSON file")
	s.Each("index/i", &f.index, "take the point at this position, from 0: one number, or one for each axis (j,i)")
	s.Words("over", &f.Over, OverNames(), "take statistics over number, step or time instead of the values")
	s.List("stat", &f.stat, "the statistics of --over: mean, std, min, max, median, count, or percentiles such as p10")
	s.Word("format/f", &f.Format, extractFormats, "csv, json (an object per line), parquet, netcdf, covjson, png, svg or pdf; default: the format of the output's name, or csv")
	cli.DeclareOutput(s, &f.Output, "file to write; default: standard output")
	s.Bool("all", &f.all, "take all points")
}

func (f *ExtractFlags) run(cmd *cobra.Command, names []string) error {
	if f.Format == "" {
		f.Format = f.FormatOfName()
	}
	selection, err := f.Selection(cmd)
	if err != nil {
		return err
	}
	summed, err := f.statistics(cmd)
	if err != nil {
		return err
	}
	if err := cli.NotAnInput(f.Output, append([]string{f.At, f.Polygon, f.Mask[strings.Index(f.Mask, ":")+1:]}, names...)); err != nil {
		return err
	}
	closing, err := f.readMask(cmd, &selection)
	if err != nil {
		return err
	}
	defer closing()
	opts := look.Options{Slices: true, Coordinates: len(f.where) > 0}
	chosen, err := chooseFieldsOf(cmd, names, f.where, &f.changes, opts, archive.Options{SkipHashes: true, KeepIndex: true})
	if err != nil {
		return err
	}
	defer chosen.Close()
	if err := f.located(cmd, chosen); err != nil {
		return err
	}
	if err := f.write(cmd, summed(extract.Points(cmd.Context(), chosen.fields, selection))); err != nil {
		return err
	}
	chosen.SaveIndex(cmd.Context())
	return chosen.finish(cmd)
}

// FormatOfName is the format that the name of the output says.
func (f *ExtractFlags) FormatOfName() string {
	switch cli.KindOf(f.Output) {
	case cli.JSONFiles:
		return FormatJSON
	case cli.ParquetFiles:
		return FormatParquet
	case cli.NetCDFFiles:
		return formatNetCDF
	case cli.CovJSONFiles:
		return formatCovJSON
	case cli.ImageFiles:
		return formatPNG
	case cli.DrawingFiles:
		return formatSVG
	case cli.PDFFiles:
		return formatPDF
	}
	return FormatCSV
}

// Selection is the selection of the flags.
func (f *ExtractFlags) Selection(cmd *cobra.Command) (s extract.Selection, err error) {
	if s.Bilinear = f.bilinear; f.bilinear && f.At == "" {
		return s, cli.Usagef("--bilinear interpolates at the places of --at, and there are none")
	}
	if f.Mask != "" && (f.At == "" || f.bilinear) {
		return s, cli.Usagef("--mask chooses among the points nearest to the places of --at, without --bilinear")
	}
	switch {
	case f.At != "" && IsPlaceFile(f.At):
		read := extract.ReadGeoJSON
		if path.Ext(strings.ToLower(f.At)) == ".csv" {
			read = extract.ReadCSV
		}
		s.Places, err = ReadPlaces(cmd, f.At, read)
	case f.At != "":
		if s.Places, err = extract.ParsePlaces(f.At); err != nil {
			err = cli.Usagef("--at is %w", err)
		}
	case f.Polygon != "":
		s.Areas, err = ReadPlaces(cmd, f.Polygon, extract.ReadPolygons)
	case len(f.boxes) > 0:
		for _, text := range f.boxes {
			box, err := extract.ParseBox(text)
			if err != nil {
				return s, cli.Usagef("--box is %w", err)
			}
			s.Areas = append(s.Areas, box)
		}
	case f.all:
	default:
		if s.Positions, err = parsePositions(f.index); err == nil && len(s.Positions) == 0 {
			err = cli.Usagef("expected the points to take: --at, --box, --polygon, --index or --all")
		}
	}
	return s, err
}

// OverNames are the values of --over.
func OverNames() []string {
	var names []string
	for _, d := range extract.Dimensions {
		names = append(names, string(d))
	}
	return names
}

// statistics returns the function that takes the statistics of --over and --stat of records.
func (f *ExtractFlags) statistics(cmd *cobra.Command) (func(series.Records) series.Records, error) {
	if len(f.Over) == 0 {
		if cmd.Flags().Changed("stat") {
			return nil, cli.Usagef("--stat are statistics over dimensions, expected --over number, step or time with it")
		}
		return func(records series.Records) series.Records { return records }, nil
	}
	var over []extract.Dimension
	for _, name := range f.Over {
		over = append(over, extract.Dimension(name))
	}
	var statistics []extract.Statistic
	for _, name := range f.stat {
		s, err := extract.ParseStatistic(name)
		if err != nil {
			return nil, cli.Usagef("--stat: %w", err)
		}
		statistics = append(statistics, s)
	}
	return func(records series.Records) series.Records {
		return series.Records(extract.Summed(records, over, statistics))
	}, nil
}

// IsPlaceFile reports whether the value of --at is the name of a file.
func IsPlaceFile(text string) bool {
	switch path.Ext(strings.ToLower(text)) {
	case ".csv", ".geojson", ".json":
		return true
	}
	return false
}

// ReadPlaces reads a file of places or areas.
func ReadPlaces[T any](cmd *cobra.Command, name string, read func(io.Reader) (T, error)) (T, error) {
	var none T
	disk, err := cli.OpenDisk(cmd, name)
	if err != nil {
		return none, cli.InFile(name, err)
	}
	defer disk.Close()
	found, err := read(io.NewSectionReader(disk, 0, disk.Size))
	if err != nil {
		return none, cli.InFile(name, err)
	}
	return found, nil
}

// maskedLand is the least part of land of a point of land.
const maskedLand = 0.5

// readMask reads the field of --mask, which stays open until the result is called.
func (f *ExtractFlags) readMask(cmd *cobra.Command, s *extract.Selection) (closing func() error, err error) {
	if f.Mask == "" {
		return func() error { return nil }, nil
	}
	kind, name, _ := strings.Cut(f.Mask, ":")
	switch kind {
	case "land":
		s.Masked = func(v float64) bool { return v >= maskedLand }
	case "sea":
		s.Masked = func(v float64) bool { return v < maskedLand }
	default:
		return nil, cli.Usagef("--mask is %q, expected land:FILE or sea:FILE", f.Mask)
	}
	chosen, err := chooseFields(cmd, []string{name}, nil, new(dataset.Change), look.Options{Slices: true})
	if err == nil {
		if err = chosen.withPlaces(); err != nil {
			chosen.Close()
		}
	}
	if err != nil {
		return nil, err
	}
	if len(chosen.fields) > 1 {
		chosen.Close()
		return nil, fmt.Errorf("%s: found %d fields, expected one, a land-sea mask", cli.Shown(name), len(chosen.fields))
	}
	s.Mask = chosen.fields[0]
	return chosen.Close, nil
}

// located leaves out fields without places, and refuses grids that are too much work.
func (f *ExtractFlags) located(cmd *cobra.Command, chosen *chosenFields) error {
	if err := checkFields(cmd, chosen); err != nil {
		return err
	}
	if len(f.index) > 0 {
		return nil
	}
	if err := chosen.withPlaces(); err != nil {
		return err
	}
	if err := checkGrids(cmd, chosen); err != nil {
		return err
	}
	return chosen.computed(cmd.Context(), false)
}

// write writes the records.
func (f *ExtractFlags) write(cmd *cobra.Command, records series.Records) error {
	records = warned(cmd, records)
	if f.Format == formatNetCDF {
		out, err := cli.CreateRandom(cmd, f.Output, cli.FolderOf(f.Output))
		if err != nil {
			return err
		}
		defer out.Abort()
		if err := series.NetCDF(cmd.Context(), out, records); err != nil {
			return err
		}
		return cli.Written(out.Commit())
	}
	open, write := cli.OpenOutput, series.CSV
	switch f.Format {
	case FormatJSON:
		write = series.JSONLines
	case formatCovJSON:
		write = series.CoverageJSON
	case FormatParquet:
		open, write = cli.OpenBinary, series.Parquet
	case formatPNG:
		open, write = cli.OpenBinary, charted((*chart.Chart).PNG)
	case formatSVG:
		write = charted((*chart.Chart).SVG)
	case formatPDF:
		open, write = cli.OpenBinary, charted((*chart.Chart).PDF)
	}
	out, err := open(cmd, f.Output)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := write(cli.OutputTo(out), records); err != nil {
		return err
	}
	return cli.Written(out.Commit())
}

// charted returns the function that writes records as a chart.
func charted(write func(*chart.Chart, io.Writer) error) func(io.Writer, series.Records) error {
	return func(w io.Writer, records series.Records) error {
		c, err := series.Chart(records)
		if err != nil {
			return err
		}
		return write(c, w)
	}
}

// mostWarned is how many places without values are named.
const mostWarned = 5

// warned says of the first places why they have no values, each once.
func warned(cmd *cobra.Command, records series.Records) series.Records {
	return func(yield func(extract.Record, error) bool) {
		seen := make(map[string]bool)
		defer func() {
			if more := len(seen) - mostWarned; more > 0 {
				cli.Warn(cmd, fmt.Sprintf("%d more places have no values", more))
			}
		}()
		for r, err := range records {
			if text := fmt.Sprintf("point %s: %s", r.Point, r.Reason); r.Reason != "" && !seen[text] {
				if seen[text] = true; len(seen) <= mostWarned {
					cli.Warn(cmd, text)
				}
			}
			if !yield(r, err) {
				return
			}
		}
	}
}
