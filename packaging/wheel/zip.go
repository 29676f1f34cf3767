package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// A wheel is a ZIP archive with a record of its files. The first error is kept for close.
type wheel struct {
	name   string // of the package, with its version
	out    *os.File
	zip    *zip.Writer
	record strings.Builder
	err    error
}

func newWheel(path, version string) (*wheel, error) {
	out, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &wheel{name: "tgmconv-" + version, out: out, zip: zip.NewWriter(out)}, nil
}

// file adds a file of the disk.
func (w *wheel) file(name, path string, mode os.FileMode) {
	data, err := os.ReadFile(path)
	if w.err == nil {
		w.err = err
	}
	w.add(name, data, mode)
}

func (w *wheel) text(name, text string) { w.add(name, []byte(text), 0o644) }

func (w *wheel) add(name string, data []byte, mode os.FileMode) {
	if w.err != nil {
		return
	}
	// SetMode notes that it is a regular file, without which pip drops the right to execute.
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
	header.SetMode(mode)
	entry, err := w.zip.CreateHeader(header)
	if err == nil {
		_, err = entry.Write(data)
	}
	w.err = err
	sum := sha256.Sum256(data)
	fmt.Fprintf(&w.record, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(data))
}

// close adds the record and completes the archive.
func (w *wheel) close() error {
	name := w.name + ".dist-info/RECORD"
	record := w.record.String() + name + ",,\n"
	w.text(name, record)
	err := errors.Join(w.err, w.zip.Close(), w.out.Close())
	if err == nil {
		w.out = nil
	}
	return err
}

// abort removes a wheel that is not complete.
func (w *wheel) abort() {
	if w.out != nil {
		_ = w.out.Close() // it may be closed
		_ = os.Remove(w.out.Name())
	}
}
