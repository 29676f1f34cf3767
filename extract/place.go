package extract

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A Place is a point on the globe.
type Place struct {
	Name     string  // of a station; places without one are known by their number, from 1
	Lat, Lon float64 // degrees north, and degrees east from -360 to 360
}

// Limits of files of places.
const (
	maxPlaces     = 1 << 20
	maxPlaceBytes = 64 << 20
)

// A PlaceError reports a place that cannot be used.
type PlaceError struct {
	Where    string // the line of a file, or the place in a list
	Found    string
	Expected string
}

func (e *PlaceError) Error() string {
	return fmt.Sprintf("%s: found %s, expected %s", e.Where, e.Found, e.Expected)
}

const expectedPlace = "a latitude from -90 to 90 and a longitude from -360 to 360, in degrees"

// placeOf reads a latitude and a longitude.
func placeOf(where, lat, lon string) (Place, error) {
	y, errLat := strconv.ParseFloat(strings.TrimSpace(lat), 64)
	x, errLon := strconv.ParseFloat(strings.TrimSpace(lon), 64)
	if errLat != nil || errLon != nil || !isPlace(y, x) {
		return Place{}, &PlaceError{where, quoted(lat + ", " + lon), expectedPlace}
	}
	return Place{Lat: y, Lon: x}, nil
}

func isPlace(lat, lon float64) bool { return lat >= -90 && lat <= 90 && lon >= -360 && lon <= 360 }

// quoted is a text of a file as it is shown in an error.
func quoted(text string) string {
	const most = 60
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strconv.Quote(text)
}

// ParsePlaces reads places from a text: LAT,LON;LAT,LON;… in degrees.
func ParsePlaces(text string) ([]Place, error) {
	var places []Place
	for part := range strings.SplitSeq(text, ";") {
		lat, lon, ok := strings.Cut(part, ",")
		where := fmt.Sprintf("place %d", len(places)+1)
		if !ok {
			return nil, &PlaceError{where, quoted(part), "LAT,LON in degrees, such as 50.1,8.7"}
		}
		p, err := placeOf(where, lat, lon)
		if err != nil {
			return nil, err
		}
		places = append(places, p)
	}
	return places, nil
}

// The titles of columns of a table of places, in lower case.
var (
	nameTitles = []string{"name", "station", "point", "id"}
	latTitles  = []string{"latitude", "lat", "y"}
	lonTitles  = []string{"longitude", "lon", "lng", "long", "x"}
)

// ReadCSV reads places from a table. A line of titles must have latitude (or lat) and longitude (or
// lon), and may have name (or station, point, id). Without it the columns are LAT,LON or
// LAT,LON,NAME. Columns are separated by commas, semicolons or tabs.
func ReadCSV(r io.Reader) ([]Place, error) {
	limited := &io.LimitedReader{R: r, N: maxPlaceBytes}
	in := bufio.NewReaderSize(limited, 64<<10)
	if mark, _ := in.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		in.Discard(3)
	}
	table := csv.NewReader(in)
	table.Comma, table.FieldsPerRecord, table.TrimLeadingSpace, table.ReuseRecord = separator(in), -1, true, true
	columns := [3]int{0, 1, 2} // of latitude, longitude and name
	var places []Place
	for first := true; ; first = false {
		record, err := table.Read()
		switch {
		case err == io.EOF && limited.N == 0:
			return nil, &PlaceError{"the table", fmt.Sprintf("more than %d bytes", maxPlaceBytes), "fewer"}
		case err == io.EOF && len(places) == 0:
			return nil, &PlaceError{"the table", "no line with a place", expectedPlace}
		case err == io.EOF:
			return places, nil
		case err != nil:
			return nil, tableError(err)
		}
		line, _ := table.FieldPos(0)
		where := fmt.Sprintf("line %d", line)
		if _, err := strconv.ParseFloat(strings.TrimSpace(record[0]), 64); first && err != nil {
			if columns, err = titled(where, record); err != nil {
				return nil, err
			}
			continue
		}
		if len(places) == maxPlaces {
			return nil, &PlaceError{where, "one place more", fmt.Sprintf("at most %d", maxPlaces)}
		}
		if len(record) <= max(columns[0], columns[1]) {
			return nil, &PlaceError{where, fmt.Sprintf("%d columns", len(record)), fmt.Sprintf("at least %d", max(columns[0], columns[1])+1)}
		}
		p, err := placeOf(where, record[columns[0]], record[columns[1]])
		if err != nil {
			return nil, err
		}
		if n := columns[2]; n >= 0 && n < len(record) {
			p.Name = strings.Clone(strings.TrimSpace(record[n]))
		}
		places = append(places, p)
	}
}

// separator is the character between columns, by the first line.
func separator(in *bufio.Reader) rune {
	start, _ := in.Peek(4 << 10)
	line, _, _ := bytes.Cut(start, []byte("\n"))
	for _, c := range ";\t" {
		if bytes.ContainsRune(line, c) && !bytes.Contains(line, []byte(",")) {
			return c
		}
	}
	return ','
}

// titled finds the columns of a table by their titles.
func titled(where string, titles []string) (columns [3]int, err error) {
	for i, names := range [3][]string{latTitles, lonTitles, nameTitles} {
		columns[i] = slices.IndexFunc(titles, func(title string) bool {
			return slices.Contains(names, strings.ToLower(strings.TrimSpace(title)))
		})
		if columns[i] < 0 && i < 2 {
			return columns, &PlaceError{where, "the titles " + quoted(strings.Join(titles, ",")), "one of " + strings.Join(names, ", ")}
		}
	}
	return columns, nil
}

// tableError says in which line a table is broken.
func tableError(err error) error {
	var broken *csv.ParseError
	if errors.As(err, &broken) {
		return &PlaceError{fmt.Sprintf("line %d", broken.Line), broken.Err.Error(), "comma-separated values"}
	}
	return err
}
