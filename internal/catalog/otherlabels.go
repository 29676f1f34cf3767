package catalog

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tgmconv/tgmconv/cf"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
)

// labelKeys are the keys of an entry with the meaning of the MARS keys of that name.
var labelKeys = []string{"date", "hdate", "time", mapping.KeyStep, mapping.KeyNumber, "levelist", mapping.KeyLevel, "levtype"}

// levelTypes are ecCodes' types of level by MARS' letters.
var levelTypes = map[string]string{
	"pl": "isobaricInhPa", "ml": "hybrid", "pt": "theta", "pv": "potentialVorticity", "sfc": "surface",
}

// labels are the labels from the keys of MARS, and from keys of the entry with such names. used are the
// latter.
func (o *other) labels() (l mapping.Labels, used map[string]bool) {
	_, l = mapping.Read(o.base).Own()
	said := make(map[string]any)
	for _, key := range labelKeys {
		if v, ok := o.base[key]; ok {
			said[key] = v
		}
	}
	own, _ := o.base[mapping.KeyMARS].(map[string]any)
	maps.Copy(said, own)
	used = make(map[string]bool)
	use := func(keys ...string) {
		for _, key := range keys {
			used[key] = true
		}
	}
	if moment, ok := isoMoment(said["time"]); ok && !l.ReferenceTime.Known {
		l.ReferenceTime = mapping.Some(moment)
		use("time")
	} else if moment, ok := isoMoment(said["date"]); ok && !l.ReferenceTime.Known {
		l.ReferenceTime = mapping.Some(moment)
		use("date")
	}
	e := mapping.Read(map[string]any{mapping.KeyMARS: said})
	if t, ok := e.ReferenceTime(); ok && !l.ReferenceTime.Known {
		l.ReferenceTime = mapping.Some(t)
		use("date", "time", "hdate")
	}
	if _, ofDims := o.hasDim(mapping.KeyStep); !ofDims && l.StepUnits == "" {
		l.Step = mapping.Opt[int64]{}
		if d, ok := e.Step(); ok {
			l.Step, l.StepUnits = wholeStep(d)
			use(mapping.KeyStep)
		}
	}
	if level, ok := e.Level(); ok && !l.Level.Known {
		l.Level = mapping.Some(level)
	}
	if l.Level.Known {
		use(mapping.KeyLevel, "levelist")
	}
	if levtype, _ := said["levtype"].(string); levtype != "" && l.LevelType == "" {
		l.LevelType = levtype
		if known := levelTypes[levtype]; known != "" {
			l.LevelType = known
		}
		use("levtype")
	}
	if l.Level.Known && l.LevelType == "" {
		l.LevelType = mapping.KeyLevel // no type is known: the axis has the name of the key
	}
	if n, ok := e.Member(); ok {
		l.Number = mapping.Some(n)
		use(mapping.KeyNumber)
	}
	if l.ReferenceTime.Known && l.Step.Known && !l.ValidTime.Known {
		step, _ := mapping.Read(l.Map()).Step()
		l.ValidTime = mapping.Some(l.ReferenceTime.Value.Add(step))
	}
	return l, used
}

// hasDim returns the position of a dimension of the object.
func (o *other) hasDim(name string) (int, bool) {
	i := slices.Index(o.dims, name)
	return i, i >= 0
}

// isoMoment reads a point in time in the form of ISO 8601, with a time of day.
func isoMoment(v any) (time.Time, bool) {
	text, _ := v.(string)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// wholeStep is a step in the largest unit that divides it.
func wholeStep(d time.Duration) (mapping.Opt[int64], string) {
	switch {
	case d%time.Hour == 0:
		return mapping.Some(int64(d / time.Hour)), "h"
	case d%time.Minute == 0:
		return mapping.Some(int64(d / time.Minute)), "m"
	}
	return mapping.Some(int64(d / time.Second)), "s"
}

// parameter is the number of the parameter that MARS' keys name, 0 if they name none that is known.
func (o *other) parameter() int64 {
	m, _ := o.base[mapping.KeyMARS].(map[string]any)
	name, isText := m["param"].(string)
	if id, ok := mars.ParamOf(mapping.Read(map[string]any{mapping.KeyMARS: m, mapping.KeyName: o.name})); ok && mars.ShortName(id) != "" {
		return id
	}
	if isText {
		return mars.ParamNamed(name)
	}
	return 0
}

// parameterName is the name of the parameter of a field that is called by its level too: t of t500. It is "" for others.
func (o *other) parameterName(l *mapping.Labels) string {
	m, _ := o.base[mapping.KeyMARS].(map[string]any)
	param, _ := m["param"].(string)
	if l.Level.Known && param != "" && o.name == fmt.Sprint(param, mapping.Number(l.Level.Value)) {
		return param
	}
	return ""
}

// notLabels are the keys of an entry that do not tell it from others of its name.
var notLabels = map[string]bool{
	mapping.KeyName: true, mapping.KeyDims: true, keyDims: true, mapping.KeyUnits: true, cf.AttrLongName: true, cf.AttrStandardName: true,
	mapping.KeyMARS: true, mapping.KeyCF: true, mapping.KeyReserved: true, mapping.KeyOther: true, mapping.KeyReferenceTime: true,
	mapping.KeyValidTime: true, mapping.KeyStepUnits: true, mapping.KeyLevelType: true, mapping.KeyTop: true, mapping.KeyBottom: true,
	mapping.KeyRecordIndex: true, keyParamID: true, "param": true, "shortName": true,
}

// scalars are the scalars of the entry that are not labels, by their paths.
func (o *other) scalars(used map[string]bool) map[string]any {
	found := make(map[string]any)
	var add func(prefix string, m map[string]any)
	add = func(prefix string, m map[string]any) {
		for key, v := range m {
			path := prefix + key
			if prefix == "" && (notLabels[key] || used[key]) || key == mapping.KeyReserved || prefix != "" && (key == mapping.KeyName || key == mapping.KeyUnits) {
				continue
			}
			switch v := v.(type) {
			case map[string]any:
				add(path+".", v)
			case string, bool, int64, uint64, float64:
				if v != o.name { // the name in the words of a namespace
					found[path] = v
				}
			}
		}
	}
	add("", o.base)
	return found
}
