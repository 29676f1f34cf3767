// Package history keeps the knowledge that clients may have of the arrays of a server whose files
// change. No key may lead to the values of other labels later, also on a server that was started
// again and on others that show the same files.
//
// A client keeps the documents and labels that it has read, and asks for chunks by their position. A
// key that a document gave to a position must lead to that position's label for as long as somebody
// may use it. An array has a few forms of chunk keys. A [History] has the [State] that clients of
// each form know, and when it was used last. A [Plan] gives each array of the next state of the
// files a form under which clients know nothing else, or none.
//
// A [File] keeps the history on disk, for several servers at a time.
package history
