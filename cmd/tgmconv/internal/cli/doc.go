// Package cli holds the parts that all verbs share: a verb as a value, from which flags, help, completion and JSON Schema are made;
// inputs, outputs and limits of memory and work; summaries, warnings, errors and exit codes.
package cli
