package togrib

import (
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
)

// edits are the keys in which an entry differs from its sections.
type edits struct {
	h    *keys.Handle // of the sections
	list []Setting
}

// An EditError names a key of an object that was changed to a value that its GRIB message cannot
// have.
type EditError struct {
	Key string // of base[i]
	Err error
}

func (e *EditError) Error() string {
	return fmt.Sprintf("%s was changed, and cannot be set in the message: %v", e.Key, e.Err)
}

// Unwrap returns the cause.
func (e *EditError) Unwrap() error { return e.Err }

// apply sets in a header the keys that were changed since the conversion, and the keys of the options.
func (m *maker) apply(h grib.Header, entry mapping.Entry, geometry map[string]any) (grib.Header, bool, error) {
	message, err := h.Message()
	if err != nil {
		return nil, false, err
	}
	handle, err := m.keys.Handle(message, nil)
	if err != nil {
		return nil, false, err
	}
	e := &edits{h: handle}
	if err := e.find(entry, geometry); err != nil {
		return nil, false, err
	}
	if len(e.list)+len(m.opts.Set) == 0 {
		return h, false, nil
	}
	for _, s := range e.list {
		_, key, _ := strings.Cut(s.Key, ".")
		if message, err = keys.SetAll(message, Setting{Key: key, Value: s.Value}); err != nil {
			return nil, false, &EditError{s.Key, err}
		}
	}
	if message, err = keys.SetAll(message, m.opts.Set...); err != nil {
		return nil, false, err
	}
	out, err := h.WithSectionsOf(message)
	return out, true, err
}

// find lists the changes, keys of MARS first.
func (e *edits) find(entry mapping.Entry, geometry map[string]any) error {
	for _, namespace := range []string{mapping.KeyMARS, mapping.KeyProduct, mapping.KeyReproduction} {
		e.namespace(namespace, entry.Namespace(namespace))
	}
	for _, group := range slices.Sorted(maps.Keys(entry.Namespace(mapping.KeyGRIB))) {
		if m, ok := entry.Namespace(mapping.KeyGRIB)[group].(map[string]any); ok && group != statistics {
			e.namespace(mapping.KeyGRIB+"."+group, m)
		}
	}
	if err := e.labels(entry); err != nil {
		return err
	}
	return sameGeometry(entry.Geometry(), geometry)
}

// statistics is the namespace of keys that follow from the values.
const statistics = "statistics"

// derived are keys that follow from others of the entry, or from octets that have no key.
var derived = []string{
	mapping.KeyMARS + "." + mapping.MARSGrid, mapping.KeyMARS + "." + mapping.MARSArea, mapping.KeyProduct + "." + mars.KeyLocalUse,
}

func (e *edits) namespace(name string, m map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if slices.Contains(derived, name+"."+key) {
			continue
		}
		now, err := e.h.Get(key)
		if strings.HasPrefix(name, mapping.KeyGRIB+".") {
			now, err = e.inNamespace(strings.TrimPrefix(name, mapping.KeyGRIB+"."), key)
		}
		if err == nil && same(now, m[key]) || e.h.Err() != nil && (err != nil || key == packingType) && follows(name) {
			continue
		}
		if v, ok := mapping.Float(m[key]); ok && slices.Contains(mars.LevelKeys(), key) && e.isLevel(key, v) {
			continue
		}
		e.list = append(e.list, Setting{Key: name + "." + key, Value: text(m[key])})
	}
}

// packingType is known when all of section 4 is.
const packingType = "packingType"

// follows reports whether keys of a namespace of an entry may follow from octets that a header does
// not have: the heads of second order packing and of matrices of simple packing.
func follows(namespace string) bool {
	return namespace == mapping.KeyReproduction || strings.HasPrefix(namespace, mapping.KeyGRIB+".")
}

// inNamespace returns the value that a key has in a namespace of ecCodes.
func (e *edits) inNamespace(namespace, key string) (any, error) {
	for _, k := range e.h.Namespace(namespace) {
		if k.Name == key {
			return k.Value, nil
		}
	}
	return e.h.Get(key)
}

// same reports whether an entry has the value of a key.
func same(key, entry any) bool {
	if raw, ok := key.([]byte); ok {
		if text, ok := entry.(string); ok {
			return text == hex.EncodeToString(raw)
		}
	}
	a, isNumber := mapping.Float(key)
	b, alsoNumber := mapping.Float(entry)
	if isNumber && alsoNumber {
		return a == b
	}
	if list, ok := entry.([]any); ok {
		v := reflect.ValueOf(key)
		if v.Kind() != reflect.Slice || v.Len() != len(list) {
			return false
		}
		for i, x := range list {
			if !same(v.Index(i).Interface(), x) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(key, entry)
}

// text is a value as grib_set takes it.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// labels compares the labels of an entry, which are beside the namespaces.
func (e *edits) labels(entry mapping.Entry) error {
	name, l := entry.Own()
	if name != "" {
		now, err := e.h.String("shortName")
		if unknown := err != nil || now == "" || now == "unknown"; !unknown && now != name || unknown && !strings.HasPrefix(name, "unknown") {
			e.add(mapping.KeyName, "shortName", name)
		}
	}
	if t, ok := l.ReferenceTime.Get(); ok && !e.isReferenceTime(t) {
		e.add(mapping.KeyReferenceTime, "dataDate", t.Format("20060102"))
		e.add(mapping.KeyReferenceTime, "dataTime", t.Format("1504"))
	}
	if step, ok := l.Step.Get(); ok {
		if now, err := e.h.Int("endStep"); err != nil || now != step {
			e.add(mapping.KeyStep, "endStep", strconv.FormatInt(step, 10)+l.StepUnits)
		}
	}
	for _, x := range []struct {
		label, key string
		v          mapping.Opt[float64]
	}{{mapping.KeyLevel, "level", l.Level}, {mapping.KeyTop, "topLevel", l.Top}, {mapping.KeyBottom, "bottomLevel", l.Bottom}} {
		if v, ok := x.v.Get(); ok && !e.isLevel(x.key, v) {
			e.add(x.label, x.key, text(v))
		}
	}
	if now, err := e.h.String("typeOfLevel"); l.LevelType != "" && (err != nil || now != l.LevelType) {
		e.add(mapping.KeyLevelType, "typeOfLevel", l.LevelType)
	}
	if n, ok := l.Number.Get(); ok && !e.is("number", n) && !e.is("perturbationNumber", n) {
		e.add(mapping.KeyNumber, "number", strconv.FormatInt(n, 10))
	}
	if t, ok := l.ValidTime.Get(); ok && len(e.list) == 0 && !e.valid(t, l) {
		return &EditError{mapping.KeyValidTime, errors.New("it follows from the reference time and the step")}
	}
	return nil
}

// valid reports whether a time is the time of validity of the sections. Where they have none, it is
// the end of the step.
func (e *edits) valid(t time.Time, l mapping.Labels) bool {
	date, err := e.h.Int("validityDate")
	if err != nil {
		return true
	}
	clock, err := e.h.Int("validityTime")
	text := fmt.Sprintf("%08d%04d", date, clock)
	if err != nil || t.Format("200601021504") == text {
		return true
	}
	entry := mapping.Read((&mapping.Labels{ReferenceTime: l.ReferenceTime, Step: l.Step, StepUnits: l.StepUnits}).Map())
	step, ok := entry.Step()
	return ok && l.ReferenceTime.Value.Add(step).Equal(t)
}

func (e *edits) is(key string, n int64) bool {
	now, err := e.h.Int(key)
	return err == nil && now == n
}

// isLevel reports whether v is a level of the sections. Earlier versions wrote ecCodes' value of the
// level, which is accepted as well.
func (e *edits) isLevel(key string, v float64) bool {
	if now, err := e.h.Level(key); err == nil && now == v {
		return true
	}
	now, err := e.h.Float(key)
	return err == nil && now == v
}

func (e *edits) add(label, key, value string) {
	e.list = append(e.list, Setting{Key: label + "." + key, Value: value})
}

// isReferenceTime reports whether t is the reference time of the sections, if they have one: dataDate
// with dataTime, which has no seconds, or with the hour, minute and second of section 1. In fields
// at a local time these are other times.
func (e *edits) isReferenceTime(t time.Time) bool {
	date, err := e.h.Int("dataDate")
	if err != nil {
		return true
	}
	at := func(h, mi, s int64) bool {
		return t.Equal(time.Date(int(date/10000), time.Month(date/100%100), int(date%100), int(h), int(mi), int(s), 0, time.UTC))
	}
	h, err := e.h.Int("hour")
	mi, _ := e.h.Int("minute")
	s, _ := e.h.Int("second")
	if err == nil && at(h, mi, s) {
		return true
	}
	hhmm, err2 := e.h.Int("dataTime")
	if err2 == nil && (err != nil || hhmm != 100*h+mi) {
		return at(hhmm/100, hhmm%100, 0)
	}
	return err != nil && at(0, 0, 0)
}

// sameGeometry returns an error that names the first key in which a description of a grid differs from the
// sections.
func sameGeometry(entry, sections map[string]any) error {
	if entry == nil || sections == nil {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(entry)) {
		if v, ok := sections[key]; !ok || !same(v, entry[key]) {
			return &EditError{mapping.KeyGeometry + "." + key, fmt.Errorf("the grid of a message is not edited, and is %v there", v)}
		}
	}
	return nil
}
