// Package tetverbs has the verbs of tet, which read .tet files as their own tools do.
package tetverbs
