//go:build !man

package main

// manVerbs is empty in the binaries that users get: see man.go.
var manVerbs []verb
