package keys

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// Errors that Set may wrap.
var (
	ErrReadOnly   = errors.New("value is read only")
	ErrStructure  = errors.New("cannot be set: sections or values depend on it")
	ErrNoSetting  = errors.New("cannot be set: it is computed from other keys")
	ErrNotInteger = errors.New("value is not an integer, nor one of the code table")
	ErrNoConcept  = errors.New("no combination of keys that the message has gives this value")
)

// structural are keys that determine which octets follow, or the meaning of the values. They are
// set by writing another message.
var structural = []string{
	"edition", "editionNumber", "totalLength", "numberOfSection",
	"gridDefinitionTemplateNumber", "productDefinitionTemplateNumber", "dataRepresentationTemplateNumber",
	"numberOfDataPoints", "numberOfPoints", "numberOfValues", "numberOfOctectsForNumberOfPoints", "interpretationOfNumberOfPoints",
	"sourceOfGridDefinition", "Ni", "Nj", "Nx", "Ny", "N", "J", "K", "M", "Nside", "scanningMode", "pl", "pv",
	"NV", "PVPresent", "PLPresent", "dataRepresentationType", "section1Flags", "gridDefinition",
	"numberOfTimeRange", "numberOfTimeRanges", "numberOfCategories", "setLocalDefinition", "localDefinitionNumber",
	"bitsPerValue", "binaryScaleFactor", "decimalScaleFactor", "referenceValue", "bitmapPresent", "bitMapIndicator",
	"packingType", "gridType", "dataFlag", "numberOfBits", "numberOfVerticalCoordinateValues", "numberOfForecastsInTheCluster",
}

// Set returns the message with a key set to a value, as grib_set sets it. The handle h and its
// message stay as they are. It sets integers, text and floats of sections 0 to 4 (edition 1:
// section 1), by number, abbreviation of the code table, or "missing"; dates, times, steps and
// levels; MARS' class, type and stream; and keys that follow from a combination of others:
// shortName, paramId, typeOfLevel, …
//
// The error is a *KeyError, of ErrStructure for keys that would change the length of the message or
// the meaning of its values.
func (h *Handle) Set(key, value string) ([]byte, error) {
	s := &setter{msg: slices.Clone(h.buf)}
	if err := s.set(key, value); err != nil {
		var inner *KeyError
		if errors.As(err, &inner) && inner.Key == key {
			return nil, err
		}
		return nil, &KeyError{key, err}
	}
	return s.msg, nil
}

// A setter changes a message key by key.
type setter struct {
	msg   []byte
	h     *Handle // of msg as it is, nil if it has changed
	depth int
}

// handle returns the keys of the message as it is now.
func (s *setter) handle() (*Handle, error) {
	if s.h != nil {
		return s.h, nil
	}
	h, err := New(slices.Clone(s.msg), nil)
	if err == nil {
		err = h.Err()
	}
	s.h = h
	return h, err
}

// try runs a change and takes it back if it fails.
func (s *setter) try(change func() error) error {
	before := slices.Clone(s.msg)
	err := change()
	if err != nil {
		s.msg, s.h = before, nil
	}
	return err
}

func (s *setter) set(key, value string) error {
	if s.depth++; s.depth > maxDepth {
		return errTooDeep
	}
	defer func() { s.depth-- }()
	h, err := s.handle()
	if err != nil {
		return err
	}
	if slices.Contains(structural, key) {
		if now, err := h.String(key); err == nil && now == value {
			return nil
		}
		return &KeyError{key, ErrStructure}
	}
	a := h.lookup(key)
	if a == nil || a.sub != nil {
		return &KeyError{key, ErrNotFound}
	}
	e := h.entry(a, key)
	if e.Name == "centre" || e.Name == "originatingCentre" || key == "centre" {
		if now, err := h.String(key); (err != nil || now != value) && h.local() {
			return &KeyError{key, ErrStructure} // the local section would be another centre's
		}
	}
	err = s.setEntry(h, &e, value)
	var inner *KeyError
	if err != nil && !errors.As(err, &inner) {
		err = &KeyError{key, err}
	}
	return err
}

// local reports whether the message has a section that the centre defines.
func (h *Handle) local() bool {
	for _, e := range h.Entries() {
		if e.Type == Section && (e.Name == "section_2" && h.buf[7] == 2 && e.Length > 5 || e.Name == "section_1" && h.buf[7] == 1 && e.Length > 28) {
			return true
		}
	}
	return false
}

func (s *setter) setEntry(h *Handle, e *Entry, value string) error {
	if special := specialSetters()[e.Class]; special != nil {
		return special(s, h, e, value)
	}
	switch {
	case e.ReadOnly:
		return ErrReadOnly
	case e.Class == "concept":
		return s.setConcept(h, e, value)
	case e.Length == 0:
		if set := specialNames()[e.Name]; set != nil {
			return set(s, h, e, value)
		}
		return ErrNoSetting
	case e.Offset+e.Length > len(s.msg):
		return ErrDecoding
	}
	if err := h.describes(e.Offset); err != nil {
		return err
	}
	return s.code(h, e, value)
}

// describes returns an error unless an octet is part of sections 0 to 4 (edition 1: 0 and 1).
// Later sections say how the values are stored.
func (h *Handle) describes(offset int) error {
	last := 4
	if h.buf[7] == 1 {
		last = 1
	}
	for _, e := range h.Entries() {
		if e.Type == Section && offset >= e.Offset && offset < e.Offset+e.Length && int(e.Name[len(e.Name)-1]-'0') > last {
			return ErrStructure
		}
	}
	return nil
}

// code puts a value into the octets of a key.
func (s *setter) code(h *Handle, e *Entry, value string) error {
	octets := make([]byte, e.Length)
	switch e.Class {
	case "unsigned", "codetable", "codeflag":
		v, err := h.integer(e, value, false)
		if err != nil {
			return err
		}
		if e.Length < 8 && v>>(8*e.Length) != 0 {
			return ErrOutOfRange
		}
		putBig(octets, v)
	case "signed":
		v, err := h.integer(e, value, true)
		if err != nil {
			return err
		}
		putBig(octets, v)
	case "ascii", "ksec1expver":
		if err := putText(octets, value, e.Class == "ksec1expver"); err != nil {
			return err
		}
	case "ieeefloat":
		v, err := strconv.ParseFloat(value, 32)
		if err != nil || e.Length != 4 {
			return ErrNotInteger
		}
		binary.BigEndian.PutUint32(octets, math.Float32bits(float32(v)))
	default:
		return ErrNoSetting
	}
	copy(s.msg[e.Offset:], octets)
	s.h = nil
	_, err := s.handle()
	return err
}

// putText writes text that fills the octets, or numbers with zeros before them.
func putText(octets []byte, value string, digits bool) error {
	if _, err := strconv.ParseUint(value, 10, 32); digits && err == nil && len(value) < len(octets) {
		value = strings.Repeat("0", len(octets)-len(value)) + value
	}
	if len(value) > len(octets) || digits && len(value) != len(octets) {
		return ErrOutOfRange
	}
	for i := range octets {
		octets[i] = ' '
	}
	copy(octets, value)
	return nil
}

func putBig(octets []byte, v uint64) {
	for i := len(octets) - 1; i >= 0; i-- {
		octets[i], v = byte(v), v>>8
	}
}

// integer returns the octets of an integer: a number, "missing", or the abbreviation of a code.
func (h *Handle) integer(e *Entry, value string, signed bool) (uint64, error) {
	bits := 8 * min(e.Length, 8)
	if strings.EqualFold(value, "missing") {
		return 1<<bits - 1, nil
	}
	v, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		if f, floatErr := strconv.ParseFloat(value, 64); floatErr == nil && f == math.Trunc(f) && math.Abs(f) < 1<<62 {
			v, err = int64(f), nil
		}
	}
	if err != nil {
		code, ok := h.codeOf(e, value)
		if !ok {
			return 0, ErrNotInteger
		}
		return uint64(code), nil
	}
	limit := int64(1) << (bits - 1)
	switch {
	case signed && v < 0 && -v < limit:
		return uint64(limit | -v), nil
	case v < 0, signed && v >= limit:
		return 0, ErrOutOfRange
	}
	return uint64(v), nil
}

// codeOf returns the code of an abbreviation.
func (h *Handle) codeOf(e *Entry, abbreviation string) (int64, bool) {
	if e.a == nil || e.Class != "codetable" {
		return 0, false
	}
	h.tables(e.a)
	if e.a.tab == nil {
		return 0, false
	}
	for _, t := range []*defs.Table{e.a.tab.master, e.a.tab.local} {
		if code, ok := t.Code(abbreviation); ok {
			return code, true
		}
	}
	return 0, false
}
