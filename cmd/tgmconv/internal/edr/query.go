package edr

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/cmd/tgmconv/internal/series"
	"github.com/tgmconv/tgmconv/extract"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
)

// A query is a request for values.
type query struct {
	params     url.Values
	handler    *Handler
	collection *collection
	selection  extract.Selection
}

// write writes the values.
func (q *query) write(ctx context.Context, out *answer) error {
	format := q.params.Get("f")
	if format == "" {
		format = formatCovJSON
	}
	writer, ok := writers[strings.ToLower(format)]
	if !ok {
		return badRequest("f is %q, expected %s, %s or %s", format, formatCovJSON, formatGeoJSON, formatCSV)
	}
	if crs := q.params.Get("crs"); crs != "" && crs != crs84 && crs != crs84Name && crs != "EPSG:4326" {
		return badRequest("crs is %q, expected %s", crs, crs84Name)
	}
	fields, err := q.fields()
	if err != nil {
		return err
	}
	limits := &q.handler.opts
	switch n := max(len(q.selection.Places), 1); {
	case len(fields) > limits.MaxFields:
		return tooLarge("the request is for %d fields, expected at most %d (--max-fields of the server)", len(fields), limits.MaxFields)
	case len(q.selection.Places) > limits.MaxPoints:
		return tooLarge("the request is for %d points, expected at most %d (--max-points of the server)", len(q.selection.Places), limits.MaxPoints)
	case len(fields)*n > limits.MaxValues:
		return tooLarge("the request is for %d values, expected at most %d (--max-values of the server)", len(fields)*n, limits.MaxValues)
	}
	out.kind = writer.media
	err = writer.write(out, q.records(ctx, fields))
	var grid *extract.GridError
	var place *extract.PlaceError
	if errors.As(err, &grid) || errors.As(err, &place) {
		return badRequest("%v", err)
	}
	return err
}

// records are the values of fields, as many as are permitted. The number of points of a request for areas is
// only known with them.
func (q *query) records(ctx context.Context, fields []*look.Field) series.Records {
	limits := &q.handler.opts
	return func(yield func(extract.Record, error) bool) {
		total, points := 0, 0
		var of *look.Field
		for r, err := range extract.Points(ctx, fields, q.selection) {
			if of != r.Field {
				of, points = r.Field, 0
			}
			total, points = total+1, points+1
			switch {
			case err != nil:
			case points > limits.MaxPoints:
				err = tooLarge("the request is for more than %d points (--max-points of the server)", limits.MaxPoints)
			case total > limits.MaxValues:
				err = tooLarge("the request is for more than %d values (--max-values of the server)", limits.MaxValues)
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
		if total == 0 {
			yield(extract.Record{}, &requestError{http.StatusNotFound, "no point of the collection lies there"})
		}
	}
}

// fields are the fields that parameter-name, datetime and z choose.
func (q *query) fields() ([]*look.Field, error) {
	wanted, err := q.parameters()
	if err != nil {
		return nil, err
	}
	from, to, err := interval(q.params.Get("datetime"))
	if err != nil {
		return nil, err
	}
	level, err := levels(q.params.Get("z"))
	if err != nil {
		return nil, err
	}
	var chosen []*look.Field
	for _, f := range q.collection.fields {
		if wanted != nil && !wanted[f.Name] {
			continue
		}
		if t, known := validTime(f); known && (t.Before(from) || t.After(to)) || !known && q.params.Get("datetime") != "" {
			continue
		}
		if level != nil && (!f.Level.Known || !level(f.Level.Value)) {
			continue
		}
		chosen = append(chosen, f)
	}
	if len(chosen) == 0 {
		return nil, notFound("no field of the collection has these parameters, times and levels")
	}
	return chosen, nil
}

// parameters are the names that are asked for; nil for all.
func (q *query) parameters() (map[string]bool, error) {
	text := q.params.Get("parameter-name")
	if text == "" {
		return nil, nil
	}
	wanted := make(map[string]bool)
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); !q.collection.has(name) {
			return nil, badRequest("the collection has no parameter %q", name)
		}
		wanted[name] = true
	}
	return wanted, nil
}

// interval reads a time or an interval: T, T/T, ../T, T/.. in the form of RFC 3339, or days.
func interval(text string) (from, to time.Time, err error) {
	from, to = time.Unix(-1<<40, 0), time.Unix(1<<40, 0)
	if text == "" {
		return from, to, nil
	}
	first, last, isInterval := strings.Cut(text, "/")
	if !isInterval {
		last = first
	}
	if first != ".." && first != "" {
		if from, err = moment(first, false); err != nil {
			return from, to, err
		}
	}
	if last != ".." && last != "" {
		to, err = moment(last, true)
	}
	if err == nil && from.After(to) {
		err = badRequest("datetime is %q, expected an interval that ends after it begins", text)
	}
	return from, to, err
}

// moment reads a time, and of a day or month its beginning or end.
func moment(text string, end bool) (time.Time, error) {
	for _, form := range []struct {
		layout       string
		months, days int
	}{{layout: time.RFC3339}, {layout: "2006-01-02T15:04Z07:00"}, {layout: "2006-01-02T15:04:05"}, {layout: "2006-01-02", days: 1}, {layout: "2006-01", months: 1}} {
		t, err := time.Parse(form.layout, text)
		if err != nil {
			continue
		}
		if end && form.days+form.months > 0 {
			t = t.AddDate(0, form.months, form.days).Add(-time.Nanosecond)
		}
		return t, nil
	}
	return time.Time{}, badRequest("datetime is %q, expected a time such as 2026-04-04T00:00:00Z or an interval", text)
}

// levels reads z: LEVEL, LEVEL,LEVEL…, LOWEST/HIGHEST, or RN/FIRST/STEP.
func levels(text string) (func(float64) bool, error) {
	if text == "" {
		return nil, nil
	}
	separator := ","
	if strings.Contains(text, "/") {
		separator = "/"
	}
	parts := strings.Split(text, separator)
	count := 0
	if repeated, ok := strings.CutPrefix(parts[0], "R"); ok && separator == "/" && len(parts) == 3 {
		n, err := strconv.Atoi(repeated)
		if err != nil || n < 1 || n > 10_000 {
			return nil, badRequest("z is %q, expected levels, LOWEST/HIGHEST or RN/FIRST/STEP", text)
		}
		count, parts = n, parts[1:]
	}
	numbers := make([]float64, len(parts))
	for i, part := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, badRequest("z is %q, expected levels, LOWEST/HIGHEST or RN/FIRST/STEP", text)
		}
		numbers[i] = v
	}
	switch {
	case separator == "," || len(numbers) == 1:
		return func(v float64) bool { return slices.Contains(numbers, v) }, nil
	case len(numbers) != 2:
		return nil, badRequest("z is %q, expected levels, LOWEST/HIGHEST or RN/FIRST/STEP", text)
	case count > 0:
		return func(v float64) bool {
			k := (v - numbers[0]) / numbers[1]
			return k == math.Trunc(k) && k >= 0 && k < float64(count)
		}, nil
	}
	low, high := min(numbers[0], numbers[1]), max(numbers[0], numbers[1])
	return func(v float64) bool { return v >= low && v <= high }, nil
}

// validTime is the time for which a field is valid, or its reference time, if no step is known.
func validTime(f *look.Field) (time.Time, bool) {
	if t, known := f.Validity(); known {
		return t, true
	}
	return f.Reference.Value, f.Reference.Known
}

// longestCoords bounds the text of a geometry.
const longestCoords = 1 << 16

// positions reads POINT(LON LAT) or MULTIPOINT((LON LAT),…).
func positions(coords string) (places []extract.Place, err error) {
	kind, lists, err := wellKnown(coords)
	if err != nil {
		return nil, err
	}
	if kind != "POINT" && kind != "MULTIPOINT" {
		return nil, badRequest("coords is %s, expected POINT or MULTIPOINT", kind)
	}
	for _, list := range lists {
		for _, p := range list {
			places = append(places, extract.Place{Lon: p[0], Lat: p[1]})
		}
	}
	for i, p := range places {
		if math.Abs(p.Lat) > 90 || math.Abs(p.Lon) > 360 {
			return nil, badRequest("point %d of coords is %v %v, expected degrees of longitude and latitude", i+1, p.Lon, p.Lat)
		}
	}
	return places, nil
}

// areas reads POLYGON((LON LAT,…),…).
func areas(coords string) ([]extract.Area, error) {
	kind, lists, err := wellKnown(coords)
	if err != nil {
		return nil, err
	}
	if kind != "POLYGON" {
		return nil, badRequest("coords is %s, expected POLYGON", kind)
	}
	text, err := json.Marshal(map[string]any{"type": "Polygon", "coordinates": lists})
	if err != nil {
		return nil, err
	}
	found, err := extract.ReadPolygons(strings.NewReader(string(text)))
	if err != nil {
		return nil, badRequest("coords: %v", err)
	}
	return found, nil
}

// cube reads WEST,SOUTH,EAST,NORTH. Of six numbers it ignores the heights, which the parameter z
// gives.
func cube(bbox string) ([]extract.Area, error) {
	parts := strings.Split(bbox, ",")
	if len(parts) != 4 && len(parts) != 6 {
		return nil, badRequest("bbox is %q, expected WEST,SOUTH,EAST,NORTH", bbox)
	}
	numbers := make([]float64, len(parts))
	for i, p := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil {
			return nil, badRequest("bbox is %q, expected WEST,SOUTH,EAST,NORTH", bbox)
		}
		numbers[i] = v
	}
	half := len(parts) / 2
	box, err := extract.Box(numbers[half+1], numbers[0], numbers[1], numbers[half])
	if err != nil {
		return nil, badRequest("bbox is %q: %v", bbox, err)
	}
	return []extract.Area{box}, nil
}

// wellKnown reads a geometry in the form of well-known text: lists of longitudes and latitudes.
func wellKnown(coords string) (kind string, lists [][][2]float64, err error) {
	bad := badRequest("coords is %q, expected well-known text such as POINT(8.7 50.1)", shortened(coords))
	if len(coords) > longestCoords {
		return "", nil, tooLarge("coords has %d bytes, expected at most %d", len(coords), longestCoords)
	}
	kind, rest, ok := strings.Cut(strings.TrimSpace(coords), "(")
	rest, closed := strings.CutSuffix(strings.TrimSpace(rest), ")")
	if !ok || !closed {
		return "", nil, bad
	}
	words := strings.Fields(strings.ToUpper(kind))
	if len(words) == 0 || len(words) > 2 {
		return "", nil, bad
	}
	groups := []string{rest}
	if strings.Contains(rest, "(") {
		groups = nil
		for part := range strings.SplitSeq(rest, "(") {
			if part = strings.TrimSpace(part); part == "" {
				continue
			}
			inner, _, ok := strings.Cut(part, ")")
			if !ok {
				return "", nil, bad
			}
			groups = append(groups, inner)
		}
	}
	for _, group := range groups {
		var list [][2]float64
		for point := range strings.SplitSeq(group, ",") {
			numbers := strings.Fields(point)
			if len(numbers) < 2 || len(numbers) > 4 {
				return "", nil, bad
			}
			var p [2]float64
			for i := range p {
				if p[i], err = strconv.ParseFloat(numbers[i], 64); err != nil || math.IsNaN(p[i]) || math.IsInf(p[i], 0) {
					return "", nil, bad
				}
			}
			list = append(list, p)
		}
		lists = append(lists, list)
	}
	return words[0], lists, nil
}

func shortened(text string) string {
	if len(text) > 100 {
		return text[:100] + "…"
	}
	return text
}

// geoJSON writes a feature for each value.
func geoJSON(w io.Writer, records series.Records) error {
	if _, err := io.WriteString(w, `{"type":"FeatureCollection","features":[`); err != nil {
		return err
	}
	n := 0
	for r, err := range records {
		if err != nil {
			return err
		}
		properties := map[string]any{
			"label": r.Point, "datetime": r.ValidTime, "parameter-name": []string{r.Name}, mapping.KeyUnits: r.Units, "value": nil, "edrqueryendpoint": "",
		}
		if !r.Missing() {
			properties["value"] = json.RawMessage(r.AppendValue(nil))
		}
		if r.Level.Known {
			properties[mapping.KeyLevel] = r.Level.Value
		}
		if r.Number.Known {
			properties[mapping.KeyNumber] = r.Number.Value
		}
		if r.Reason != "" {
			properties["reason"] = r.Reason
		}
		var geometry any
		if !math.IsNaN(r.Latitude) && !math.IsNaN(r.Longitude) {
			geometry = map[string]any{"type": "Point", "coordinates": []float64{r.Longitude, r.Latitude}}
		}
		text, err := json.Marshal(map[string]any{"type": "Feature", "id": fmt.Sprint(n + 1), mapping.KeyGeometry: geometry, "properties": properties})
		if err != nil {
			return err
		}
		if n++; n > 1 {
			text = append([]byte(",\n"), text...)
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "]}\n")
	return err
}
