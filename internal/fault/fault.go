// Package fault says where errors were met: in which file, and where in it.
//
// A package that names itself in the texts of its errors makes them with [Errorf], or with types
// that have a method Detail. An error with a place, such as [Error], has the text of [Detail] behind
// the place, without the name of the package.
package fault

import (
	"errors"
	"fmt"
	"strings"
)

// An Error is an error with its place.
type Error struct {
	Place string // the file as it is shown to people, and the place in it if known
	Err   error
}

// Error returns the place, and the error there.
func (e *Error) Error() string { return e.Place + ": " + Detail(e.Err) }

// NamesFile reports that the text says which file the error is about.
func (e *Error) NamesFile() bool { return true }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// NamesFile reports whether the text of an error says which file it is about.
func NamesFile(err error) bool {
	var named interface{ NamesFile() bool }
	return errors.As(err, &named) && named.NamesFile()
}

// A detailed error has a text without the name of its package.
type detailed interface{ Detail() string }

// Detail returns the text of an error, without the name of a package if the error has a method Detail.
func Detail(err error) string {
	text := err.Error()
	for e := err; e != nil && e.Error() == text; e = errors.Unwrap(e) {
		switch e := e.(type) {
		case detailed:
			return e.Detail()
		case interface{ Unwrap() []error }:
			return joined(text, e.Unwrap())
		}
	}
	return text
}

// joined is the text of joined errors with details, if text has a line for each of them. It is text
// otherwise.
func joined(text string, errs []error) string {
	texts, details := make([]string, len(errs)), make([]string, len(errs))
	for i, err := range errs {
		texts[i], details[i] = err.Error(), Detail(err)
	}
	if strings.Join(texts, "\n") != text {
		return text
	}
	return strings.Join(details, "\n")
}

// packageError is an error with the name of the package that made it.
type packageError struct {
	pkg string
	err error
}

// Errorf is [fmt.Errorf] with the name of a package before the text.
func Errorf(pkg, format string, args ...any) error {
	return &packageError{pkg, fmt.Errorf(format, args...)}
}

func (e *packageError) Error() string  { return e.pkg + ": " + e.err.Error() }
func (e *packageError) Detail() string { return e.err.Error() }
func (e *packageError) Unwrap() error  { return e.err }

// noted is an error with a note behind its text.
type noted struct {
	err  error
	note string
}

// Noted adds a note in parentheses to the text of an error.
func Noted(err error, format string, args ...any) error {
	return &noted{err, " (" + fmt.Sprintf(format, args...) + ")"}
}

func (e *noted) Error() string  { return e.err.Error() + e.note }
func (e *noted) Detail() string { return Detail(e.err) + e.note }
func (e *noted) Unwrap() error  { return e.err }
