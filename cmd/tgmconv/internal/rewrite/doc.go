// Package rewrite chooses, orders, groups and changes objects of Tensogram files on their way to other files.
// It is the part of "tgmconv copy", "merge", "split", "set" and "reshuffle" between reading messages with
// package catalog and writing them with package tgm/edit. Nothing is decoded.
//
// A Selection chooses objects, an Order sorts them, Selection.Groups divides them among outputs,
// and Selection.Change changes their metadata. All of them hold references to objects, never
// payloads, so that memory does not grow with the size of the files.
package rewrite
