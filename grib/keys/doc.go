// Package keys gives every key of a GRIB message as ecCodes 2.50 does: with its name, value and
// type.
//
// The meaning of a GRIB key is not written in the WMO manual alone: names such as paramId,
// typeOfLevel, mars.stream or stepRange, their aliases, and the namespaces they belong to are
// the product of ecCodes' definition files, a small language that describes sections,
// templates, code tables, concepts and computed keys. This package interprets those files. A
// generator (the command in gen) reads the definition files of an ecCodes release, parses them
// and writes a compact compiled form that is embedded here, so that no ecCodes installation is
// needed at run time. See NOTICE for their licence.
//
// A Handle is made from the bytes of a single-field message:
//
//	h, err := keys.New(msg, nil)
//	if err != nil { … }
//	id, err := h.Int("paramId")            // 167
//	name, err := h.String("shortName")     // "2t"
//	for _, k := range h.Namespace("mars") { // class, date, expver, …
//		fmt.Println(k.Name, k.Value)
//	}
//
// Handles are independent of each other and may be used concurrently with one another; a single
// Handle may not. The compiled definitions are shared, immutable and loaded on first use. A
// [Reader] makes handles of many messages faster, by remembering earlier results.
//
// # Architecture
//
// A key is read in five steps, each in files of its own:
//
//	definition files of ecCodes
//	   │  gen, gen/internal/deflang: parse and compile, when this package is made
//	   ▼
//	compiled definitions               internal/defs, data/definitions.bin: statements,
//	   │                               concept tables and code tables
//	   │  build.go, section.go, expr*.go: run the statements over a message
//	   ▼
//	Handle: a tree of accessors        handle.go, accessor.go, message.go, state.go
//	   │  classes.go: the table from operation to class
//	   ▼
//	class: reads one kind of accessor  class.go and the files named after their subject
//	   │  namespace.go, entries.go: the exported methods
//	   ▼
//	value, or remembered value         memo.go, recorder.go
//
// Definitions. The statements of the definition language say, in the order of
// the octets, which keys a message has, under which conditions, and by which
// operation each is read: unsigned[2], codetable[1], g2step_range, concept.
// Names are interned: a defs.Sym is an index into the sorted list of all names.
//
// Handle. New runs the statements over the message. Each statement that makes a key adds an
// accessor with its place and its names to the current section; templates, ifs and lists are
// sections of their own. The handle's store says which accessor a name means: the accessor that
// was given the name last.
//
// Classes. An operation is carried out by a class, a type without state that
// implements the interface class: it gives the native type, the number of
// values, and the value as integer, number, text or octets. Bases such as
// longClass convert between these as ecCodes does. To see how an operation is
// read, look it up in classTable. A class asks for other keys through the
// getters of the handle (getters.go), for octets through message.go, and sets
// variables through state.go.
//
// Memoiser. A Reader gives each of its handles a recorder, which implements the interface
// memoiser. As all access to the message and to the state of a handle goes through message.go
// and state.go, the recorder sees on which octets the layout of a message and each answer
// depends, and gives the answer again for another message with the same octets there. Classes
// know nothing of the recorder.
package keys
