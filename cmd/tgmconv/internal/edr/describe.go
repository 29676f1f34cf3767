package edr

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/dataset"
	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/mapping"
)

const (
	crs84     = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
	crs84Name = "CRS84"
	crs84WKT  = `GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]`
)

var conformance = []string{
	"http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core",
	"http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/collections",
	"http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/core",
	"http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/collections",
	"http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/json",
	"http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/covjson",
	"http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/geojson",
	"http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/oas30",
	"http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/queries",
}

// A collection is the fields of a group that have places.
type collection struct {
	id, title string
	fields    []*look.Field
	box       [4]float64 // west, south, east, north
	times     []time.Time
	levels    []float64
	names     []string               // of parameters
	first     map[string]*look.Field // by the name of the parameter
}

// has reports whether there is a parameter of that name.
func (c *collection) has(name string) bool { return c.first[name] != nil }

// collectionsOf are the collections of a dataset.
func collectionsOf(set *dataset.Dataset, values dataset.Fields) ([]*collection, error) {
	ctx := context.Background() // for all who wait
	var all []*collection
	for _, g := range set.Groups {
		own := *g
		own.Name = "" // parameters are named within their collection
		fields, err := look.DatasetFields(ctx, &dataset.Dataset{Groups: []*dataset.Group{&own}}, values, look.Options{Slices: true})
		if err != nil {
			return nil, err
		}
		c := &collection{id: strings.ReplaceAll(g.Name, "/", "_"), title: g.Name, first: make(map[string]*look.Field), box: [4]float64{180, 90, -180, -90}}
		if c.id == "" {
			c.id, c.title = "data", "All fields on one grid"
		}
		grids := make(map[*look.Grid]bool)
		for _, f := range fields {
			if !f.HasGrid() {
				continue
			}
			grid, err := f.Grid(ctx)
			if err != nil {
				continue // it has no places
			}
			if !grids[grid] {
				if err := c.cover(grid); err != nil {
					continue
				}
				grids[grid] = true
			}
			c.add(f)
		}
		if len(c.fields) > 0 {
			all = append(all, c)
		}
	}
	return all, nil
}

// cover makes the box large enough for a grid.
func (c *collection) cover(grid *look.Grid) error {
	return grid.Blocks(func(_ int, lats, lons []float64) {
		for i, lat := range lats {
			lon := lons[i]
			if lon > 180 {
				lon -= 360
			}
			if math.IsNaN(lat) || math.IsNaN(lon) {
				continue
			}
			c.box = [4]float64{min(c.box[0], lon), min(c.box[1], lat), max(c.box[2], lon), max(c.box[3], lat)}
		}
	})
}

// add adds a field.
func (c *collection) add(f *look.Field) {
	c.fields = append(c.fields, f)
	if c.first[f.Name] == nil {
		c.first[f.Name] = f
		c.names = append(c.names, f.Name)
	}
	if t, ok := validTime(f); ok {
		if i, found := slices.BinarySearchFunc(c.times, t, time.Time.Compare); !found {
			c.times = slices.Insert(c.times, i, t)
		}
	}
	if f.Level.Known {
		if i, found := slices.BinarySearch(c.levels, f.Level.Value); !found {
			c.levels = slices.Insert(c.levels, i, f.Level.Value)
		}
	}
}

// address is the address of a path below the root.
func (h *Handler) address(r *http.Request, path string) string {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + r.Host + h.opts.Prefix + "/" + Root + path
}

func (h *Handler) link(r *http.Request, rel, title, path string) map[string]any {
	link := map[string]any{"href": h.address(r, path), "rel": rel, "type": "application/json"}
	if title != "" {
		link["title"] = title
	}
	return link
}

// landing is the document of the root.
func (h *Handler) landing(r *http.Request) map[string]any {
	api := h.link(r, "service-desc", "The API as an OpenAPI document", "/api")
	api["type"] = "application/vnd.oai.openapi+json;version=3.0"
	return map[string]any{
		"title": h.title(), "description": "Values of fields at points, in areas and cubes.",
		"links": []any{
			h.link(r, "self", "This document", ""), api,
			h.link(r, "conformance", "Classes of conformance", "/conformance"), h.link(r, "data", "Collections", "/collections"),
		},
	}
}

func (h *Handler) title() string {
	if h.opts.Title == "" {
		return "tgmconv"
	}
	return h.opts.Title
}

// queries are the kinds of queries.
var queries = []string{queryPosition, queryArea, queryCube, queryLocations}

// document describes a collection.
func (c *collection) document(h *Handler, r *http.Request) map[string]any {
	formats := []string{formatCovJSON, formatGeoJSON, formatCSV}
	at := "/collections/" + c.id
	kinds := make(map[string]any)
	for _, q := range queries {
		if q == queryLocations && len(h.opts.Locations) == 0 {
			continue
		}
		link := h.link(r, "data", "", at+"/"+q)
		link["variables"] = map[string]any{
			"title": q, "query_type": q, "output_formats": formats, "default_output_format": formatCovJSON,
			"crs_details": []any{map[string]any{"crs": crs84Name, "wkt": crs84WKT}},
		}
		kinds[q] = map[string]any{"link": link}
	}
	extent := map[string]any{"spatial": map[string]any{"bbox": [][4]float64{c.box}, "crs": crs84}}
	if n := len(c.times); n > 0 {
		values := make([]string, n)
		for i, t := range c.times {
			values[i] = t.UTC().Format(time.RFC3339)
		}
		extent["temporal"] = map[string]any{
			"interval": [][2]string{{values[0], values[n-1]}}, "values": values, "trs": `TIMECRS["DateTime",TDATUM["Gregorian Calendar"],CS[TemporalDateTime,1],AXIS["Time (T)",future]]`,
		}
	}
	if n := len(c.levels); n > 0 {
		values := make([]string, n)
		for i, v := range c.levels {
			values[i] = fmt.Sprint(v)
		}
		extent["vertical"] = map[string]any{"interval": [][2]string{{values[0], values[n-1]}}, "values": values, "vrs": "levels of the data, in their own units"}
	}
	parameters := make(map[string]any)
	for _, name := range c.names {
		f := c.first[name]
		title := f.Title()
		p := map[string]any{"type": "Parameter", "description": title, "observedProperty": map[string]any{"label": title}}
		if f.Units != "" {
			p["unit"] = map[string]any{"symbol": f.Units}
		}
		parameters[name] = p
	}
	return map[string]any{
		"id": c.id, "title": c.title, "links": []any{h.link(r, "self", "", at), h.link(r, "data", "", at)}, "extent": extent,
		"data_queries": kinds, "crs": []string{crs84Name}, "output_formats": formats, "parameter_names": parameters,
	}
}

// locations are the places that have names, as GeoJSON.
func (h *Handler) locations(r *http.Request, c *collection) map[string]any {
	features := []any{}
	for _, p := range h.opts.Locations {
		features = append(features, map[string]any{
			"type": "Feature", "id": p.Name, mapping.KeyGeometry: map[string]any{"type": "Point", "coordinates": []float64{p.Lon, p.Lat}},
			"properties": map[string]any{
				"label": p.Name, "datetime": c.interval(), "parameter-name": c.names,
				"edrqueryendpoint": h.address(r, "/collections/"+c.id+"/locations/"+p.Name),
			},
		})
	}
	return map[string]any{"type": "FeatureCollection", "features": features}
}

// interval is the time that the collection covers.
func (c *collection) interval() string {
	if len(c.times) == 0 {
		return ""
	}
	return c.times[0].UTC().Format(time.RFC3339) + "/" + c.times[len(c.times)-1].UTC().Format(time.RFC3339)
}

// An apiParameter describes a parameter in the OpenAPI document.
type apiParameter struct {
	Name        string         `json:"name"`
	In          string         `json:"in"`
	Description string         `json:"description"`
	Required    bool           `json:"required"`
	Schema      map[string]any `json:"schema"`
}

// openAPI is the OpenAPI document.
func (h *Handler) openAPI(r *http.Request, all []*collection) map[string]any {
	ok := func(text string, kinds ...string) map[string]any {
		content := make(map[string]any)
		for _, kind := range kinds {
			content[kind] = map[string]any{}
		}
		return map[string]any{"200": map[string]any{"description": text, "content": content}}
	}
	get := func(id, summary string, answers map[string]any, parameters ...any) map[string]any {
		operation := map[string]any{"operationId": id, "summary": summary, "responses": answers}
		if len(parameters) > 0 {
			operation["parameters"] = parameters
		}
		return map[string]any{"get": operation}
	}
	parameter := func(name, text string, required bool) any {
		return apiParameter{name, "query", text, required, map[string]any{"type": "string"}}
	}
	const document = "application/json"
	paths := map[string]any{
		"/":            get("landing", "What there is", ok("links", document)),
		"/conformance": get("conformance", "Classes of conformance", ok("classes", document)),
		"/collections": get("collections", "The collections", ok("collections", document)),
	}
	for _, c := range all {
		at := "/collections/" + c.id
		paths[at] = get("collection_"+c.id, c.title, ok("the collection", document))
		for _, q := range queries {
			id := q + "_" + c.id
			parameters := []any{
				parameter("parameter-name", "names of parameters, separated by commas: "+strings.Join(c.names, ", "), false),
				parameter("datetime", "a time or an interval: T, T/T, ../T, T/..", false), parameter("z", "levels: L, L,L, LOWEST/HIGHEST, RN/FIRST/STEP", false),
				parameter("f", "CoverageJSON, GeoJSON or CSV", false), parameter("crs", crs84Name, false),
			}
			answers := ok("values", mediaCovJSON, mediaGeoJSON, "text/csv")
			answers["400"], answers["413"] = map[string]any{"description": "the request is wrong"}, map[string]any{"description": "the request is for too much"}
			switch q {
			case queryLocations:
				if len(h.opts.Locations) == 0 {
					continue
				}
				paths[at+"/locations"] = get(id, "The places that have names", ok("places", mediaGeoJSON))
				name := apiParameter{"locId", "path", "name of a place", true, map[string]any{"type": "string"}}
				paths[at+"/locations/{locId}"] = get("location_"+c.id, "Values at a place", answers, append(parameters, name)...)
				continue
			case queryCube:
				parameters = append(parameters, parameter("bbox", "WEST,SOUTH,EAST,NORTH in degrees", true))
			default:
				parameters = append(parameters, parameter("coords", "well-known text, longitude before latitude", true))
			}
			paths[at+"/"+q] = get(id, "Values: "+q, answers, parameters...)
		}
	}
	return map[string]any{
		"openapi": "3.0.3", "info": map[string]any{"title": h.title(), "version": "1.1"},
		"servers": []any{map[string]any{"url": h.address(r, "")}}, "paths": paths,
	}
}
