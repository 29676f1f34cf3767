package mapping

import (
	"strconv"
	"strings"
	"time"
)

// A Label is the name of a field, and its place among others of that name. Listings, titles and clauses show
// it. The zero value has no label.
type Label struct {
	Name         string // 2t, or the path of a variable
	LongName     string // 2 metre temperature
	StandardName string // of the CF conventions: air_temperature
	Units        string

	Reference, Valid Opt[time.Time]
	Step             Opt[time.Duration]
	Level            Opt[float64]
	LevelType        string // of ecCodes, or MARS' levtype
	Member           Opt[int64]
}

// Label returns the label of the entry itself. Names and units that package mars has for parameters are not in
// it, see [mars.LabelOf].
//
// [mars.LabelOf]: https://pkg.go.dev/github.com/tgmconv/tgmconv/mars#LabelOf
func (e Entry) Label() Label {
	l := Label{Name: e.Name(nil), Units: e.Units(), LevelType: e.LevelType()}
	for _, said := range []map[string]any{e.CF(), e.Namespace(KeyTet), e.base} {
		setIfEmpty(&l.LongName, said[KeyLongName])
		setIfEmpty(&l.StandardName, said[KeyStandardName])
	}
	setIfEmpty(&l.LongName, strings.ReplaceAll(l.StandardName, "_", " "))
	l.Reference.Value, l.Reference.Known = e.ReferenceTime()
	l.Valid.Value, l.Valid.Known = e.ValidTime()
	l.Step.Value, l.Step.Known = e.Step()
	l.Level.Value, l.Level.Known = e.Level()
	l.Member.Value, l.Member.Known = e.Member()
	return l
}

func setIfEmpty(to *string, v any) {
	if text, ok := v.(string); ok && *to == "" {
		*to = text
	}
}

// value returns the value of a key of the label. Date and time are as listings show them: the reference time, or
// else the time for which the field is valid.
func (l *Label) value(key string) (any, bool) {
	switch key {
	case KeyName, keyShortName:
		return l.Name, l.Name != ""
	case KeyLongName:
		return l.LongName, l.LongName != ""
	case KeyStandardName:
		return l.StandardName, l.StandardName != ""
	case KeyUnits:
		return l.Units, l.Units != ""
	case KeyLevel:
		return Number(l.Level.Value), l.Level.Known
	case KeyLevelType, keyTypeOfLevel:
		return l.LevelType, l.LevelType != ""
	case KeyStep:
		return Number(l.Step.Value.Hours()), l.Step.Known
	case KeyNumber:
		return l.Member.Value, l.Member.Known
	case KeyReferenceTime:
		return l.Reference.Value.Format(time.RFC3339), l.Reference.Known
	case KeyValidTime:
		return l.Valid.Value.Format(time.RFC3339), l.Valid.Known
	case marsDate, keyDataDate, marsTime, keyDataTime:
		t := l.Reference
		if !t.Known {
			t = l.Valid
		}
		date, clock := dateAndTime(t.Value)
		if key == marsTime || key == keyDataTime {
			date = clock
		}
		return date, t.Known
	}
	return nil, false
}

// Text returns the labels that tell the field from others of its name: "2017-03-22 06:00 +12h, 850
// hPa".
func (l *Label) Text() string {
	const minutes = "2006-01-02 15:04"
	var parts []string
	if l.Reference.Known {
		text := l.Reference.Value.Format(minutes)
		if l.Step.Known {
			text += " +" + stepText(l.Step.Value)
		}
		parts = append(parts, text)
	} else if l.Valid.Known {
		parts = append(parts, l.Valid.Value.Format(minutes))
	}
	if level := l.LevelText(); level != "" {
		parts = append(parts, level)
	}
	if l.Member.Known {
		parts = append(parts, "member "+strconv.FormatInt(l.Member.Value, 10))
	}
	return strings.Join(parts, ", ")
}

func stepText(d time.Duration) string {
	if d%time.Hour == 0 {
		return strconv.FormatInt(int64(d/time.Hour), 10) + "h"
	}
	return d.String()
}

// levelUnits are the units of types of level that people expect.
var levelUnits = map[string]string{
	"isobaricInhPa": "hPa", "isobaricInPa": "Pa", "heightAboveGround": "m", "heightAboveSea": "m", "depthBelowLand": "m",
	"depthBelowSea": "m", "theta": "K",
}

// LevelText returns the vertical position of the field as text: "850 hPa", "2 m above ground",
// "surface".
func (l *Label) LevelText() string {
	if !l.Level.Known || l.Level.Value == 0 && levelUnits[l.LevelType] == "" {
		return l.LevelType
	}
	level := strconv.FormatFloat(l.Level.Value, 'g', -1, 64)
	switch units := levelUnits[l.LevelType]; l.LevelType {
	case "heightAboveGround":
		return level + " m above ground"
	case "pl":
		return level + " hPa"
	default:
		if units != "" {
			return level + " " + units
		}
		return strings.TrimSpace(l.LevelType + " " + level)
	}
}
