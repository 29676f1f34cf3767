package tgm

import (
	"io"
	"time"
)

// Provenance is what a message says of its making. Zero fields are filled in when the message is written.
type Provenance struct {
	Time           time.Time // written in UTC with second resolution
	UUID           string    // lower-case text; a random one if empty
	EncoderName    string    // "tgmconv" if empty
	EncoderVersion string
}

// WriterOptions configure a MessageWriter.
type WriterOptions struct {
	Compat     Compat
	NoHash     bool       // write no hashes
	Provenance Provenance // pinned values
	// TempDir is where objects wait until the message is complete, once they exceed SpoolMemory bytes
	// (default 8 MiB). Empty is the system's folder for temporary files.
	TempDir     string
	SpoolMemory int
}

// MessageWriter writes one message with its metadata, index and hashes in front. Objects wait in a temporary file, so
// memory does not grow with their number. It is not safe for concurrent use.
type MessageWriter struct {
	w    io.Writer
	opts WriterOptions
}

// NewMessageWriter returns a writer of one message to w, which receives nothing before Close.
func NewMessageWriter(w io.Writer, opts WriterOptions) *MessageWriter {
	return &MessageWriter{w: w, opts: opts}
}

// Append adds an object with its metadata. The object may be reused afterwards.
func (m *MessageWriter) Append(obj *EncodedObject, base map[string]any) error {
	return &UnsupportedError{Feature: "writing"}
}

// SetExtra sets the metadata of the message as a whole.
func (m *MessageWriter) SetExtra(extra map[string]any) {}

// Close writes the message. The writer cannot be used afterwards.
func (m *MessageWriter) Close() error { return &UnsupportedError{Feature: "writing"} }

// Abort drops everything that was appended. It does nothing after Close.
func (m *MessageWriter) Abort() {}
