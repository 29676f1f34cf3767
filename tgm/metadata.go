package tgm

// Metadata is what a message says about itself and, in Base, about each of its objects.
//
// Values are string, int64, uint64, float64, bool, []byte, nil, []any and map[string]any when read; []string,
// []int64 and []float64 are accepted when written.
type Metadata struct {
	Base     []map[string]any // one per object, without "_reserved_"
	Extra    map[string]any   // everything the message says that is about no single object
	Reserved map[string]any   // provenance the encoder wrote
}
