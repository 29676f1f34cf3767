package storage

import (
	"io"
)

// A RandomWriter is a Writer that can be written to at any offset.
type RandomWriter interface {
	Writer
	io.WriterAt
}

// Random returns w itself if it is a RandomWriter, as the writer of a local file is. Otherwise the
// written bytes are kept in a temporary file in tempDir, or in the system's folder for these if
// tempDir is empty, and copied to w by Commit. Commit and Abort call the methods of w.
func Random(w Writer, tempDir string) (RandomWriter, error) {
	if local, ok := w.(*LocalWriter); ok && local.target != "" {
		return local, nil
	}
	f, err := NewTempFile(tempDir)
	if err != nil {
		w.Abort()
		return nil, err
	}
	return &spooledWriter{f, w}, nil
}

// spooledWriter keeps an output in a file until it is complete.
type spooledWriter struct {
	*TempFile
	out Writer
}

// Commit copies the file to the output.
func (s *spooledWriter) Commit() error {
	size, err := s.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = s.Seek(0, io.SeekStart)
	}
	if err == nil {
		err = copyAll(s.out, s.TempFile, size)
	}
	if err != nil {
		s.Abort()
		return err
	}
	s.Close() // all of it is in the output
	return s.out.Commit()
}

// copyAll copies size bytes, which is all of r. It is an error if there are fewer.
func copyAll(w io.Writer, r io.Reader, size int64) error {
	n, err := io.Copy(w, r)
	if err == nil && n < size {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// Abort drops the file and the output.
func (s *spooledWriter) Abort() {
	s.Close()
	s.out.Abort()
}
