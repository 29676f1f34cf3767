package validity

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/tgmconv/tgmconv/array"
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/importers"
	"github.com/tgmconv/tgmconv/importers/fromnetcdf"
	"github.com/tgmconv/tgmconv/importers/fromtet"
	"github.com/tgmconv/tgmconv/internal/fault"
	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/internal/parallel"
	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/storage"
	"github.com/tgmconv/tgmconv/tet"
	"github.com/tgmconv/tgmconv/tgm"
)

// Levels of issues, as package tgm has them.
const (
	levelStructure = "structure"
	levelMetadata  = "metadata"
	levelIntegrity = "integrity"
)

// checkedBlock is about how many bytes of a large field are decoded at once. checkedAtOnce is the greatest
// size of the fields that are decoded at once.
const (
	checkedBlock  = 16 << 20
	checkedAtOnce = 256 << 20
)

// A File is a GRIB, netCDF, Zarr or .tet file to check. A GRIB file has its own messages; a netCDF or
// .tet file counts as the single message that convert makes of it.
type File struct {
	Name   string // as it is shown
	Reader io.ReaderAt
	Size   int64
	Format importers.Format
	Source importers.Source // of its fields
	Work   *importers.Work  // bounds the decoding
	// NetCDF opens a netCDF file, or a Zarr store.
	NetCDF func() (*netcdf.File, error)
	// Explain is the text of an error, which may name the flag that raises the limit.
	Explain func(error) string
	// Read is told how much of the file has been read.
	Read func(off, end int64)
}

// A check is a check of a file, with the findings so far.
type check struct {
	File
	ctx     context.Context
	level   tgm.Level
	scratch sync.Pool
	report  Report
	damage  []string // texts that the report has already
}

// Check checks a file. The error is about reading it; findings are in the report.
func Check(ctx context.Context, file File, level tgm.Level) (*Report, error) {
	c := &check{File: file, ctx: ctx, level: level, report: Report{Report: tgm.Report{Status: "ok"}, Format: file.Format}}
	if c.Format != importers.FormatGRIB {
		c.report.Reports = []tgm.MessageReport{{}}
	}
	look := c.fields
	switch c.Format {
	case importers.FormatNetCDF, importers.FormatZarr:
		look = c.netcdf
	case importers.FormatTet:
		look = c.tet
	}
	if err := look(); err != nil {
		return nil, err
	}
	c.report.Messages = len(c.report.Reports)
	for i := range c.report.Reports {
		m := &c.report.Reports[i]
		c.report.Objects += m.ObjectCount
		if !m.OK() {
			c.report.Status = "failed"
		}
	}
	complete(&c.report.Report)
	return &c.report, nil
}

// netcdf checks a netCDF file. Damage that a conversion may leave out is an error here.
func (c *check) netcdf() error {
	f, err := c.NetCDF()
	if errors.As(err, new(*netcdf.FormatError)) {
		return c.found(levelStructure, "", err)
	}
	if err != nil {
		return err // nothing of the file can be checked
	}
	err = c.group(f.Root())
	f.Close()
	if err != nil {
		return err
	}
	return c.fields()
}

// group looks for damage in the metadata of a netCDF group and the groups below it.
func (c *check) group(g *netcdf.Group) error {
	damaged := func(place string, err error) error {
		if !errors.As(err, new(*netcdf.FormatError)) {
			return nil // unsupported, or in another file: its reader reports it
		}
		c.damage = append(c.damage, err.Error())
		return c.found(levelStructure, place, err)
	}
	attrs := func(place string, list []netcdf.Attr) error {
		for i := range list {
			if err := damaged(place+"attribute "+list[i].Name, list[i].Err); err != nil {
				return err
			}
		}
		return nil
	}
	path := strings.TrimSuffix(g.Path, "/") + "/"
	for _, s := range g.Skipped {
		if err := damaged(path+s.Name, s.Err); err != nil {
			return err
		}
	}
	of := ""
	if g.Path != "/" {
		of = "group " + g.Path + ", "
	}
	if err := attrs(of, g.Attrs); err != nil {
		return err
	}
	for _, v := range g.Vars {
		name := "variable " + strings.TrimPrefix(v.Path, "/")
		if err := errors.Join(damaged(name, v.Err), attrs(name+", ", v.Attrs)); err != nil {
			return err
		}
	}
	for _, sub := range g.Groups {
		if err := c.group(sub); err != nil {
			return err
		}
	}
	return nil
}

// tet checks a .tet file as tet verify does: its layout, and at the full level all chunks.
func (c *check) tet() error {
	layout, err := c.verify(tet.VerifyOptions{Layout: true})
	if err != nil {
		return err
	}
	if !layout.OK {
		c.findings(layout)
		return nil
	}
	if err := c.fields(); err != nil {
		return err
	}
	if c.level == tgm.LevelFull {
		if layout, err = c.verify(tet.VerifyOptions{Deep: true}); err != nil {
			return err
		}
	}
	c.findings(layout)
	return nil
}

func (c *check) verify(opts tet.VerifyOptions) (*tet.Report, error) {
	return tet.Verify(c.ctx, c.Reader, c.Size, opts)
}

// findings adds the findings of package tet.
func (c *check) findings(r *tet.Report) {
	for _, f := range r.Findings {
		if f.Severity == tet.SeverityInfo {
			continue
		}
		level := levelStructure
		if f.Check == "chunk_decode" {
			level = levelIntegrity
		}
		m := &c.report.Reports[0]
		m.Issues = append(m.Issues, tgm.Issue{Code: f.Check, Level: level, Severity: f.Severity, Description: strings.TrimPrefix(f.Detail, "tet: ")})
	}
}

// A checkedPart holds the findings in a part of a file.
type checkedPart struct {
	importers.Part
	err    error // instead of the part
	fields int
	issues []tgm.Issue
}

// fields reads the parts of the file on all cores.
func (c *check) fields() error {
	c.scratch.New = func() any { return new(importers.Scratch) }
	ctx := c.ctx
	if c.Format == importers.FormatGRIB && c.level != tgm.LevelFull {
		ctx = storage.Sparse(ctx) // only the heads of messages are read
	}
	parts := func(yield func(checkedPart) bool) {
		for p, err := range c.Source.Parts(ctx) {
			if !yield(checkedPart{Part: p, err: err}) {
				return
			}
		}
	}
	window := parallel.Window[checkedPart]{Memory: checkedAtOnce, Bytes: func(p checkedPart) int64 { return p.Memory }}
	done := int64(0)
	for p, err := range parallel.Ordered(ctx, parts, window, c.part) {
		if err == nil {
			err = c.add(&p)
		}
		if err != nil {
			return err
		}
		c.Read(done, done+p.Bytes)
		done += p.Bytes
	}
	return nil
}

// add adds the findings in a part to the report.
func (c *check) add(p *checkedPart) error {
	switch {
	case errors.Is(p.err, fromnetcdf.ErrNoVariables), errors.Is(p.err, fromtet.ErrNoDatasets):
		return nil // it may be a valid file all the same
	case p.err != nil && c.Format == importers.FormatGRIB && whereOf(p.err) == c.Name:
		c.report.Status = "failed"
		c.report.FileIssues = append(c.report.FileIssues, tgm.FileIssue{Length: c.Size, Description: c.text(errors.Unwrap(p.err))})
		return nil
	case p.err != nil:
		at := int64(-1)
		if c.Format == importers.FormatGRIB {
			at = p.Offset
			c.report.Reports = append(c.report.Reports, tgm.MessageReport{})
		}
		issue, err := c.issue(levelStructure, "", at, p.err)
		if err != nil {
			return err
		}
		p.issues = append(p.issues, issue)
	case p.OnlyNotes():
	case c.Format == importers.FormatGRIB:
		c.report.Reports = append(c.report.Reports, tgm.MessageReport{})
	}
	for _, note := range p.Notes {
		if !c.known(note) {
			c.report.Warnings = append(c.report.Warnings, note)
		}
	}
	if n := len(c.report.Reports); n > 0 {
		m := &c.report.Reports[n-1]
		m.ObjectCount += p.fields
		m.Issues = append(m.Issues, p.issues...)
	}
	return nil
}

// known reports whether a note is about damage that the report has already.
func (c *check) known(note string) bool {
	return slices.ContainsFunc(c.damage, func(text string) bool { return strings.HasSuffix(note, text) })
}

// part reads the fields of a part as far as the level asks for.
func (c *check) part(ctx context.Context, p checkedPart) (checkedPart, error) {
	if p.err != nil {
		return p, nil
	}
	var scratch *importers.Scratch
	if c.level == tgm.LevelFull && c.Format != importers.FormatTet {
		scratch = c.scratch.Get().(*importers.Scratch)
		defer c.scratch.Put(scratch)
	}
	at, place := p.Offset, ""
	if c.Format != importers.FormatGRIB {
		at, place = -1, "variable "+p.Variable
	}
	add := func(level string, err error) error {
		issue, err := c.issue(level, place, at, err)
		if err == nil {
			p.issues = append(p.issues, issue)
		}
		return err
	}
	for f, err := range c.Source.Read(ctx, p.Part, scratch) {
		level := levelStructure
		if err == nil {
			p.fields++
			if level = levelMetadata; c.level != tgm.LevelQuick {
				_, err = f.Base()
			}
		}
		if err == nil && f.Values != nil && c.level == tgm.LevelFull {
			level = levelIntegrity
			err = c.values(ctx, &p.Part, f, scratch)
		}
		if err != nil {
			if err := add(level, err); err != nil {
				return p, err
			}
			continue
		}
		for _, note := range f.Notes {
			if c.level != tgm.LevelQuick && !c.known(note) {
				p.issues = append(p.issues, warningOf(levelMetadata, "note", behind(place, note), at))
			}
		}
	}
	return p, ctx.Err()
}

// values decodes the values of a field, a large one a block at a time. The chunks of .tet files are
// decoded later, all together.
func (c *check) values(ctx context.Context, p *importers.Part, f *importers.Field, scratch *importers.Scratch) error {
	info := f.Values.Info(importers.AsValues)
	bytes := uint64(nd.Estimate(info.Shape, info.DType.Size()))
	if p.Length > 0 && bytes > uint64(64*p.Length) { // it may be constant
		packed, err := f.Values.Packed(ctx, scratch)
		if err != nil || packed != nil && packed.Params.Bits == 0 {
			return err
		}
	}
	if err := c.Work.Take(int64(bytes)); err != nil {
		return err
	}
	if c.Format == importers.FormatTet {
		return nil
	}
	if info.Fits != nil {
		if err := info.Fits(bytes); err != nil {
			return err
		}
	}
	for r := range array.Regions(info.Shape, info.Box(checkedBlock)) {
		if _, err := f.Values.Read(ctx, importers.AsValues, r, scratch); err != nil {
			return err
		}
	}
	return nil
}

// found adds an error that was found to the report of a netCDF or .tet file, unless it is returned.
func (c *check) found(level, place string, err error) error {
	issue, err := c.issue(level, place, -1, err)
	if err == nil {
		m := &c.report.Reports[0]
		m.Issues = append(m.Issues, issue)
	}
	return err
}

// Codes of issues of GRIB and netCDF files, by their level.
var fieldCodes = map[string]string{levelStructure: "structure_invalid", levelMetadata: "metadata_invalid", levelIntegrity: "decode_failed"}

// issue turns an error into an issue of the file, at an offset of -1 if that is not known. An error that is
// not about the file is returned.
func (c *check) issue(level, place string, at int64, err error) (tgm.Issue, error) {
	var work *importers.WorkError
	if ctxErr := c.ctx.Err(); ctxErr != nil {
		return tgm.Issue{}, ctxErr
	}
	if errors.As(err, &work) {
		return tgm.Issue{}, work
	}
	var bad *importers.BadInput
	if errors.As(err, &bad) {
		where := strings.TrimPrefix(strings.TrimPrefix(bad.Where, c.Name), ": ")
		if c.Format == importers.FormatGRIB { // "message 3 at byte 1234, field 2": the report is about the message
			_, where, _ = strings.Cut(where, ", ")
		}
		if where != "" {
			place = where
		}
		err = bad.Err
	} else if c.Format == importers.FormatGRIB && place == "" && level == levelStructure {
		return tgm.Issue{}, err // of opening the file
	}
	var format *netcdf.FormatError
	if errors.As(err, &format) && at < 0 {
		at = format.Offset
	}
	text := behind(place, c.text(err))
	if errors.As(err, new(*grib.UnsupportedError)) || errors.As(err, new(*netcdf.UnsupportedError)) {
		return warningOf(level, "unsupported", text, at), nil
	}
	issue := warningOf(level, fieldCodes[level], text, at)
	issue.Severity = tgm.SeverityError
	return issue, nil
}

// whereOf is the place that a source gives to an error, "" if it gives none.
func whereOf(err error) string {
	bad, _ := errors.AsType[*importers.BadInput](err)
	if bad == nil {
		return ""
	}
	return bad.Where
}

// text is the text of an error without the name of the package.
func (c *check) text(err error) string {
	if text := c.Explain(err); text != err.Error() {
		return text
	}
	return fault.Detail(err)
}

// warningOf is a warning at an offset, which is left out if it is negative.
func warningOf(level, code, text string, at int64) tgm.Issue {
	issue := tgm.Issue{Code: code, Level: level, Severity: tgm.SeverityWarning, Description: text}
	if at >= 0 {
		issue.ByteOffset = &at
	}
	return issue
}

// behind puts the place, which may be empty, before a text.
func behind(place, text string) string {
	if place == "" {
		return text
	}
	return fmt.Sprintf("%s: %s", place, text)
}
