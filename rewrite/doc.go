// Package rewrite chooses, orders, groups and changes objects of Tensogram files on their way to
// other files: what "tgmconv copy", "merge", "split", "set" and "reshuffle" do between reading
// messages with package catalog and writing them with package tgm/edit. Nothing is decoded.
//
// [Selection] says which objects take part, [Order] in which order and how often,
// [Selection.Groups] to which outputs they go, and [Selection.Change] what becomes of their
// metadata. All of them hold references to objects, never payloads, so that memory does not grow
// with the size of the files.
package rewrite
