package series

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/extract"
	"github.com/tgmconv/tgmconv/internal/nameset"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

// mostValues bounds the values of a file of series, and of a chart: they are in memory until all have been read.
const mostValues = 1 << 26

// NetCDF writes a netCDF-4 file of time series at stations: the discrete sampling geometry timeSeries
// of CF (chapter 9, H.2.1), in which all stations have the same times.
//
//	double t2m(station, number, level, time)   with number and level where there are several
//	double time(time)                          of validity; forecast_reference_time and forecast_period beside it
//	string station(station)                    cf_role = timeseries_id, with latitude, longitude and distance
//
// Where several fields are valid at one time, time is a dimension without a coordinate of its name, and the
// time of validity is called valid_time.
func NetCDF(ctx context.Context, sink io.Writer, records Records) error {
	s, err := seriesOf(records)
	if err != nil {
		return err
	}
	return s.write(ctx, sink)
}

// A stationKey tells stations apart: one place is nearest to other points on other grids.
type stationKey struct {
	name     string
	lat, lon float64
}

// A moment is a position along the dimension time.
type moment struct {
	valid     time.Time
	reference time.Time
	step      time.Duration
	known     [3]bool // of these
}

// A variableKey tells variables apart.
type variableKey struct{ name, units, levelType string }

type variable struct {
	key            variableKey
	long, standard string
	levels         map[float64]int // the places of these on their axes, once all are known
	numbers        map[int64]int
	cells          []cellOf
}

// A cellOf is a value with its place: the numbers of station and moment, and the labels.
type cellOf struct {
	station, moment int32
	level           float64
	number          int64
	value           float64
}

// A stationSeries holds the content of records, in the order in which it was met.
type stationSeries struct {
	stations  []stationKey
	distances []float64
	moments   []moment
	variables []*variable
	cells     int

	station map[stationKey]int32
	at      map[moment]int32
	named   map[variableKey]*variable
}

// seriesOf collects records.
func seriesOf(records Records) (*stationSeries, error) {
	s := &stationSeries{station: make(map[stationKey]int32), at: make(map[moment]int32), named: make(map[variableKey]*variable)}
	for r, err := range records {
		if err == nil {
			err = s.add(&r)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// add takes a record.
func (s *stationSeries) add(r *extract.Record) error {
	if s.cells++; s.cells > mostValues {
		return fmt.Errorf("more than %d values at points are too many for one file of series or one chart: write Parquet or CSV", mostValues)
	}
	key := stationKey{r.Point, orFill(r.Latitude), orFill(r.Longitude)}
	station, ok := s.station[key]
	if !ok {
		station = int32(len(s.stations))
		s.station[key], s.stations, s.distances = station, append(s.stations, key), append(s.distances, r.Distance)
	}
	m := moment{reference: r.Time.Value.UTC(), step: r.Step.Value, known: [3]bool{false, r.Time.Known, r.Step.Known}}
	var err error
	if m.valid, m.known[0], err = validTime(r); err != nil {
		return err
	}
	m.valid = m.valid.UTC()
	at, ok := s.at[m]
	if !ok {
		at = int32(len(s.moments))
		s.at[m], s.moments = at, append(s.moments, m)
	}
	of := variableKey{r.Name, r.Units, r.Field.LevelType}
	v := s.named[of]
	if v == nil {
		v = &variable{key: of, long: longName(r), standard: standardName(r), levels: make(map[float64]int), numbers: make(map[int64]int)}
		s.named[of], s.variables = v, append(s.variables, v)
	}
	v.levels[r.Level.Value], v.numbers[r.Number.Value] = 0, 0
	v.cells = append(v.cells, cellOf{station, at, r.Level.Value, r.Number.Value, r.Value})
	return nil
}

// longName is the long name of a record's values, with the statistic if it is one.
func longName(r *extract.Record) string {
	if name := cmp.Or(r.Field.LongName, r.Field.Name); r.Statistic != "" {
		return name + ", " + r.Statistic
	}
	return r.Field.LongName
}

// standardName is CF's name of the values of a record. A statistic may be another quantity.
func standardName(r *extract.Record) string {
	if r.Statistic != "" {
		return ""
	}
	return r.Field.StandardName
}

// fillValue stands for coordinates that are not known. NaN is no key of a map.
const fillValue = 9.969209968386869e36 // netCDF's default of double

func orFill(v float64) float64 {
	if math.IsNaN(v) {
		return fillValue
	}
	return v
}

// A column is a variable of the file with its elements.
type column struct {
	v      *ncwrite.Var
	values any
}

// write writes the file.
func (s *stationSeries) write(ctx context.Context, sink io.Writer) error {
	s.sortMoments()
	for _, v := range s.variables {
		n := float64(len(s.stations)) * float64(len(s.moments)) * float64(len(v.levels)) * float64(len(v.numbers))
		if n > 2*mostValues {
			return fmt.Errorf("%s has %d values of %.0f at all stations, times, levels and members, which are too many for a netCDF file: write Parquet or CSV", v.key.name, len(v.cells), n)
		}
	}
	root := &ncwrite.Group{
		Attrs: []netcdf.Attr{textOf("Conventions", "CF-1.11"), textOf("featureType", "timeSeries")},
		Dims:  []*netcdf.Dim{{Name: dimStation, Len: uint64(len(s.stations))}, {Name: columnTime, Len: uint64(len(s.moments))}},
	}
	f := &seriesFile{of: s, root: root, names: nameset.New()}
	for _, name := range []string{dimStation, columnTime, columnLatitude, columnLongitude, columnDistance, columnValidTime, nameReference, namePeriod} {
		f.names.Claim(name)
	}
	f.coordinates()
	for _, v := range s.variables {
		f.variable(v)
	}
	w, err := ncwrite.Create(sink, netcdf.NetCDF4, root)
	if err != nil {
		return err
	}
	defer w.Abort()
	for _, c := range f.columns {
		if texts, ok := c.values.([]string); ok {
			err = w.WriteStrings(ctx, c.v, nil, nil, texts)
		} else {
			err = w.WriteValues(ctx, c.v, nil, nil, c.values)
		}
		if err != nil {
			return err
		}
	}
	return w.Close()
}

// sortMoments puts the moments in the order of time.
func (s *stationSeries) sortMoments() {
	order := make([]int32, len(s.moments))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int {
		a, b := &s.moments[i], &s.moments[j]
		return cmp.Or(a.valid.Compare(b.valid), a.reference.Compare(b.reference), cmp.Compare(a.step, b.step))
	})
	moments, place := make([]moment, len(order)), make([]int32, len(order))
	for k, i := range order {
		moments[k], place[i] = s.moments[i], int32(k)
	}
	s.moments = moments
	for _, v := range s.variables {
		for i := range v.cells {
			v.cells[i].moment = place[v.cells[i].moment]
		}
	}
}

const (
	dimStation    = "station"
	nameReference = "forecast_reference_time"
	namePeriod    = "forecast_period"
	sinceEpoch    = "seconds since 1970-01-01 00:00:00"
)

// A seriesFile is the model of a file of series.
type seriesFile struct {
	of      *stationSeries
	root    *ncwrite.Group
	names   *nameset.Set
	columns []column
	beside  string // the names of the auxiliary coordinates of all variables
}

func textOf(name, text string) netcdf.Attr {
	return netcdf.Attr{Name: name, Type: ncwrite.Atomic(netcdf.Char), Value: text}
}

// addColumn adds a variable with attributes: names and texts in turn.
func (f *seriesFile) addColumn(name string, class netcdf.Class, dims []string, values any, attrs ...string) {
	v := &ncwrite.Var{Name: name, Type: ncwrite.Atomic(class), Dims: dims}
	for i := 0; i < len(attrs); i += 2 {
		if attrs[i+1] != "" {
			v.Attrs = append(v.Attrs, textOf(attrs[i], attrs[i+1]))
		}
	}
	if class == netcdf.Double {
		v.Attrs = append(v.Attrs, netcdf.Attr{Name: cf.AttrFillValue, Type: v.Type, Value: []float64{fillValue}})
	}
	f.root.Vars = append(f.root.Vars, v)
	f.columns = append(f.columns, column{v, values})
}

// addBeside adds an auxiliary coordinate.
func (f *seriesFile) addBeside(name string, class netcdf.Class, dim string, values any, attrs ...string) {
	f.addColumn(name, class, []string{dim}, values, attrs...)
	if f.beside != "" {
		f.beside += " "
	}
	f.beside += name
}

// coordinates adds the coordinates of stations and times.
func (f *seriesFile) coordinates() {
	s := f.of
	var names []string
	var lats, lons, distances []float64
	far := false
	for i, k := range s.stations {
		names, lats, lons = append(names, k.name), append(lats, k.lat), append(lons, k.lon)
		distances = append(distances, orFill(s.distances[i]))
		far = far || s.distances[i] > 0
	}
	f.addColumn(dimStation, netcdf.String, []string{dimStation}, uniqueNames(names), "cf_role", "timeseries_id", cf.AttrLongName, "name of the station")
	f.addBeside(columnLatitude, netcdf.Double, dimStation, lats, cf.AttrStandardName, "latitude", cf.AttrUnits, "degrees_north", cf.AttrLongName, "latitude of the point that was taken")
	f.addBeside(columnLongitude, netcdf.Double, dimStation, lons, cf.AttrStandardName, "longitude", cf.AttrUnits, "degrees_east", cf.AttrLongName, "longitude of the point that was taken")
	if far {
		f.addBeside(columnDistance, netcdf.Double, dimStation, distances, cf.AttrUnits, "km", cf.AttrLongName, "distance of the point that was taken from the station")
	}
	f.times()
}

// uniqueNames tells stations of one name apart.
func uniqueNames(names []string) []string {
	set := nameset.New()
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = set.Next(name)
	}
	return out
}

// times adds the coordinates of times that are known.
func (f *seriesFile) times() {
	var valid, reference, period []float64
	known, ascends := [3]bool{true, true, true}, true
	for i, m := range f.of.moments {
		for k := range known {
			known[k] = known[k] && m.known[k]
		}
		valid, reference, period = append(valid, seconds(m.valid)), append(reference, seconds(m.reference)), append(period, m.step.Hours())
		ascends = ascends && (i == 0 || valid[i] > valid[i-1])
	}
	calendar := []string{cf.AttrUnits, sinceEpoch, cf.AttrCalendar, "standard"}
	switch {
	case !known[0]:
	case ascends:
		f.addColumn(columnTime, netcdf.Double, []string{columnTime}, valid, append(calendar, cf.AttrStandardName, "time", cf.AttrAxis, "T")...)
	default:
		f.addBeside(columnValidTime, netcdf.Double, columnTime, valid, append(calendar, cf.AttrStandardName, "time")...)
	}
	if known[1] {
		f.addBeside(nameReference, netcdf.Double, columnTime, reference, append(calendar, cf.AttrStandardName, nameReference)...)
	}
	if known[2] {
		f.addBeside(namePeriod, netcdf.Double, columnTime, period, cf.AttrUnits, "hours", cf.AttrStandardName, namePeriod)
	}
}

// seconds is a time as sinceEpoch counts it.
func seconds(t time.Time) float64 { return float64(t.Unix()) + float64(t.Nanosecond())/1e9 }

// variable adds a variable of values.
func (f *seriesFile) variable(v *variable) {
	levels, numbers := ordered(v.levels), ordered(v.numbers)
	dims, shape := []string{dimStation}, []int{len(f.of.stations)}
	if len(v.numbers) > 1 {
		dims, shape = append(dims, f.axis(columnNumber, netcdf.Int64, numbers, cf.AttrStandardName, "realization", cf.AttrUnits, "1")), append(shape, len(v.numbers))
	}
	if len(v.levels) > 1 {
		dims, shape = append(dims, f.axis(columnLevel, netcdf.Double, levels, cf.AttrLongName, v.key.levelType)), append(shape, len(v.levels))
	}
	dims, shape = append(dims, columnTime), append(shape, len(f.of.moments))
	n := 1
	for _, length := range shape {
		n *= length
	}
	values := slices.Repeat([]float64{fillValue}, n)
	for _, c := range v.cells {
		at := int(c.station)
		at = (at*len(numbers)+v.numbers[c.number])*len(levels) + v.levels[c.level]
		values[at*len(f.of.moments)+int(c.moment)] = orFill(c.value)
	}
	v.cells = nil
	f.addColumn(f.names.Next(cf.VariableName(v.key.name)), netcdf.Double, dims, values,
		cf.AttrUnits, v.key.units, cf.AttrLongName, v.long, cf.AttrStandardName, v.standard, cf.AttrCoordinates, f.beside)
}

// ordered returns the keys in ascending order, and sets their places.
func ordered[K cmp.Ordered](places map[K]int) []K {
	keys := slices.Sorted(maps.Keys(places))
	for i, k := range keys {
		places[k] = i
	}
	return keys
}

// axis returns the name of the dimension that has the values, and adds it if there is none.
func (f *seriesFile) axis(name string, class netcdf.Class, values any, attrs ...string) string {
	for _, c := range f.columns {
		if len(c.v.Dims) == 1 && c.v.Dims[0] == c.v.Name && sameValues(c.values, values) {
			return c.v.Name
		}
	}
	name = f.names.Next(name)
	f.root.Dims = append(f.root.Dims, &netcdf.Dim{Name: name, Len: uint64(lengthOf(values))})
	f.addColumn(name, class, []string{name}, values, attrs...)
	return name
}

func lengthOf(values any) int {
	if list, ok := values.([]int64); ok {
		return len(list)
	}
	return len(values.([]float64))
}

func sameValues(a, b any) bool {
	switch a := a.(type) {
	case []int64:
		b, ok := b.([]int64)
		return ok && slices.Equal(a, b)
	case []float64:
		b, ok := b.([]float64)
		return ok && slices.Equal(a, b)
	}
	return false
}
