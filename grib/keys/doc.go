// Package keys gives every key of a GRIB message under the name, with the
// value and with the type that ecCodes 2.50 gives it.
//
// What a GRIB key means is not written in the WMO manual alone: names such as
// paramId, typeOfLevel, mars.stream or stepRange, their aliases, and the
// namespaces they belong to are the product of ecCodes' definition files, a
// small language that describes sections, templates, code tables, concepts
// and computed keys. This package interprets those files. A generator (the
// command in gen) reads the definition files of an ecCodes release, parses
// them and writes a compact compiled form that is embedded here, so that no
// ecCodes installation is needed at run time. See NOTICE for their licence.
//
// A Handle is made from the bytes of one single-field message:
//
//	h, err := keys.New(msg, nil)
//	if err != nil { … }
//	id, err := h.Int("paramId")            // 167
//	name, err := h.String("shortName")     // "2t"
//	for _, k := range h.Namespace("mars") { // class, date, expver, …
//		fmt.Println(k.Name, k.Value)
//	}
//
// Handles are independent of each other and may be used concurrently with one
// another; a single Handle may not. The compiled definitions are shared,
// immutable and loaded on first use.
package keys
