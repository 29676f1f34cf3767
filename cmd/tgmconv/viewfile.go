package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tgm"
)

// A viewFile is a .tgm file that a verb looks into.
type viewFile struct {
	*tgm.File
	disk *diskFile
	name string // as the user gave it
}

// openView opens a .tgm file.
func openView(cmd *cobra.Command, name string) (*viewFile, error) {
	disk, err := openDisk(cmd, name)
	if err != nil {
		return nil, err
	}
	file, err := tgm.NewFile(disk, disk.size)
	if err != nil {
		disk.Close()
		return nil, err
	}
	return &viewFile{file, disk, name}, nil
}

// Close closes the file.
func (v *viewFile) Close() error { return v.disk.Close() }

// checkWhole reports what of the file is no message: an empty file, another format, a truncated
// end.
func (v *viewFile) checkWhole() error {
	if v.Size() == 0 {
		return errors.New("the file is empty, expected Tensogram messages")
	}
	n, err := v.Len()
	if err != nil {
		return err
	}
	if n == 0 {
		if other := v.otherFormat(); other != "" {
			return errors.New("found " + other)
		}
	}
	gaps, err := v.Gaps()
	if err != nil || len(gaps) == 0 {
		return err
	}
	more := ""
	if len(gaps) > 1 {
		more = fmt.Sprintf(", and %d more such places", len(gaps)-1)
	}
	g := gaps[0]
	return fmt.Errorf("%d bytes at byte %d belong to no message: %s%s", g.Length, g.Offset, strings.TrimPrefix(g.Reason, "tgm: "), more)
}

// otherFormat names the format of a file that is not Tensogram, if it is one a user may take for
// it.
func (v *viewFile) otherFormat() string {
	found, err := importers.DetectFormat(v.disk, v.disk.size)
	switch {
	case err != nil, found == importers.FormatUnknown, found == importers.FormatEmpty, found == importers.FormatTensogram:
		return ""
	case found.Unpack() != "":
		return fmt.Sprintf("a file compressed with %s, expected Tensogram messages (unpack it first, with %s)", found, found.Unpack())
	}
	return fmt.Sprintf("a %s file, expected Tensogram messages (tgmconv convert makes them)", found)
}

// inFile puts the file's name before what went wrong with it.
func inFile(name string, err error) error {
	return &fileError{storage.Display(name), err}
}

type fileError struct {
	name string
	err  error
}

// Error names the file once, and no package: the user knows the command, not its parts.
func (e *fileError) Error() string {
	text := e.err.Error()
	var path *fs.PathError
	if errors.As(e.err, &path) && e.err == error(path) {
		text = path.Err.Error()
	}
	text = strings.TrimPrefix(text, e.name+": ") // from those who opened it
	for _, prefix := range []string{"zarr: ", "tgm: ", "grib: ", "tet: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return e.name + ": " + text
}

// Unwrap returns the cause.
func (e *fileError) Unwrap() error { return e.err }

// eachFile calls look for every .tgm file. What goes wrong with one of them, or is no message in
// it, is reported and fails the command after all were looked at.
func eachFile(cmd *cobra.Command, names []string, look func(*viewFile) error) error {
	return eachInputOf(cmd, names, importers.FormatTensogram, func(name string) error {
		v, err := openView(cmd, name)
		if err != nil {
			return err
		}
		defer v.Close()
		if err := look(v); err != nil {
			return err
		}
		return v.checkWhole()
	})
}

// eachInput calls look for every GRIB file. What goes wrong with one of them is reported and fails
// the command after all were looked at.
func eachInput(cmd *cobra.Command, names []string, look func(name string) error) error {
	return eachInputOf(cmd, names, importers.FormatGRIB, look)
}

// eachInputOf calls look for every input that names stand for; in folders, for those of the format.
func eachInputOf(cmd *cobra.Command, names []string, format importers.Format, look func(name string) error) error {
	var failed error
	for _, given := range names {
		found, err := expand(cmd, given, format)
		if ctxErr := cmd.Context().Err(); ctxErr != nil {
			return ctxErr
		}
		if err != nil {
			failed = inFile(given, err)
			fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %v\n", failed)
		}
		for _, name := range found {
			err := look(name)
			if ctxErr := cmd.Context().Err(); ctxErr != nil {
				return ctxErr
			}
			var output *outputError
			if errors.As(err, &output) {
				return output
			}
			if err != nil {
				failed = inFile(name, err)
				fmt.Fprintf(cmd.ErrOrStderr(), "tgmconv: %v\n", failed)
			}
		}
	}
	if failed != nil {
		return &reportedError{failed}
	}
	return nil
}

// outputError marks a failure to write the answer: no other file can do better.
type outputError struct{ err error }

func (e *outputError) Error() string { return "writing the output: " + e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

// written turns the error of writing the answer into an outputError.
func written(err error) error {
	if err == nil {
		return nil
	}
	return &outputError{err}
}

// A viewMessage is a message of a file with the metadata that is not about single objects.
type viewMessage struct {
	file     *viewFile
	metadata *tgm.Metadata
	*tgm.Message
	failed *error // what went wrong in a lookup, which has no other way to say it
}

// A viewObject is an object of a file with all that verbs ask of it.
type viewObject struct {
	message viewMessage
	*tgm.Object
}

// eachMessage calls look for every message of the file.
func (v *viewFile) eachMessage(ctx context.Context, look func(viewMessage) error) error {
	for m, err := range v.Messages() {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		metadata, err := m.SharedMetadata()
		if err != nil {
			return err
		}
		var failed error
		if err := look(viewMessage{v, metadata, m, &failed}); err != nil {
			return err
		}
		if failed != nil {
			return failed
		}
	}
	return nil
}

// eachObject calls look for every object of the file that the clauses select.
func (v *viewFile) eachObject(ctx context.Context, where clauses, look func(viewObject) error) error {
	return v.eachMessage(ctx, func(m viewMessage) error {
		return m.eachObject(where, look)
	})
}

// eachObject calls look for every object of the message that the clauses select.
func (m viewMessage) eachObject(where clauses, look func(viewObject) error) error {
	for object, err := range m.Objects() {
		if err != nil {
			return err
		}
		o := viewObject{m, object}
		if !where.match(o.key) {
			continue
		}
		if err := look(o); err != nil {
			return err
		}
	}
	return nil
}
