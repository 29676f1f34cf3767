package extract

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// deepest is how far collections of geometries may be nested.
const deepest = 4

// A geoObject is an object of GeoJSON (RFC 7946), with the members of all its types.
type geoObject struct {
	Type        string          `json:"type"`
	Features    []geoObject     `json:"features"`
	Geometry    *geoObject      `json:"geometry"`
	Geometries  []geoObject     `json:"geometries"`
	Coordinates json.RawMessage `json:"coordinates"`
	Properties  map[string]any  `json:"properties"`
	ID          any             `json:"id"`
}

// ReadGeoJSON reads the points of a document of GeoJSON (RFC 7946). These are Point and MultiPoint,
// alone or in features. Their name is the property name, station, point or id, or else the id of the
// feature.
func ReadGeoJSON(r io.Reader) ([]Place, error) {
	o, err := readGeo(r)
	if err != nil {
		return nil, err
	}
	var places []Place
	err = o.each("", 0, func(g *geoObject, name string) error {
		var points [][]float64
		switch g.Type {
		case "Point":
			points = make([][]float64, 1)
			err = json.Unmarshal(g.Coordinates, &points[0])
		case "MultiPoint":
			err = json.Unmarshal(g.Coordinates, &points)
		default:
			return &PlaceError{fmt.Sprintf("geometry %d", len(places)+1), "the type " + quoted(g.Type), "Point or MultiPoint"}
		}
		where := fmt.Sprintf("point %d", len(places)+1)
		if err != nil {
			return &PlaceError{where, "coordinates " + quoted(string(g.Coordinates)), "[LON, LAT]"}
		}
		for _, p := range points {
			if len(p) < 2 || !isPlace(p[1], p[0]) {
				return &PlaceError{where, fmt.Sprint("coordinates ", p), "[LON, LAT]: " + expectedPlace}
			}
			if len(places) == maxPlaces {
				return &PlaceError{where, "one place more", fmt.Sprintf("at most %d", maxPlaces)}
			}
			places = append(places, Place{Name: name, Lat: p[1], Lon: p[0]})
		}
		return nil
	})
	if err == nil && len(places) == 0 {
		err = &PlaceError{"the document", "no point", "a Point or MultiPoint"}
	}
	return places, err
}

// readGeo reads a document.
func readGeo(r io.Reader) (*geoObject, error) {
	limited := &io.LimitedReader{R: r, N: maxPlaceBytes}
	o := new(geoObject)
	if err := json.NewDecoder(limited).Decode(o); err != nil {
		if limited.N == 0 {
			return nil, &PlaceError{"the document", fmt.Sprintf("more than %d bytes", maxPlaceBytes), "fewer"}
		}
		return nil, &PlaceError{"the document", err.Error(), "GeoJSON"}
	}
	return o, nil
}

// each calls do for the geometries of an object that are no collections.
func (o *geoObject) each(name string, depth int, do func(g *geoObject, name string) error) error {
	if depth > deepest {
		return &PlaceError{"the document", "collections in collections", fmt.Sprintf("at most %d", deepest)}
	}
	inner := o.Features
	switch o.Type {
	case "FeatureCollection":
	case "GeometryCollection":
		inner = o.Geometries
	case "Feature":
		if inner = nil; o.Geometry != nil {
			inner, name = []geoObject{*o.Geometry}, o.name()
		}
	default:
		return do(o, name)
	}
	for i := range inner {
		if err := inner[i].each(name, depth+1, do); err != nil {
			return err
		}
	}
	return nil
}

// name returns the name of a feature.
func (o *geoObject) name() string {
	for _, key := range nameTitles {
		if text := textOf(o.Properties[key]); text != "" {
			return text
		}
	}
	return textOf(o.ID)
}

func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}
