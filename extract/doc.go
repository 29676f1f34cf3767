// Package extract takes the values at places, or within areas, out of many fields. It decodes no more of
// them than it has to.
//
//	ds, err := tgmconv.Open(ctx, "archive/")
//	...
//	set, objects := ds.Labelled()
//	fields, err := look.DatasetFields(ctx, set, objects, look.Options{})
//	...
//	for r, err := range extract.Points(ctx, fields, extract.Selection{Places: places}) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(r.Point, r.ValidTime, r.Name, r.Value, r.Units)
//	}
//
// [Points] finds the points that are chosen once for all fields that share a grid. Of packings that
// can be cut it reads the parts which hold them: simple packing by bit offset, AEC by reference sample
// interval, arrays in chunks by chunk. Of others it decodes the whole field, or chunk, once for all
// points.
//
// [Summed] takes statistics of records over members, steps or times: their mean, percentiles and others.
//
// Places are read by [ParsePlaces], [ReadCSV] and [ReadGeoJSON]. Their input is bounded and checked;
// errors are of type [*PlaceError].
package extract
