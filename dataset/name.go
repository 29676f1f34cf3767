package dataset

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/internal/nameset"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
)

// axisNames are the names of the axes but levels, which are named as their type.
var axisNames = map[Names][numAxes]string{
	NamesCFGRIB:   {axisNumber: "number", "percentile", "threshold", "time", "step", "direction", "frequency", "modelVersion", ""},
	NamesShort:    {axisNumber: "number", "percentile", "threshold", "time", "step", "direction", "frequency", "modelVersion", ""},
	NamesEarthkit: {axisNumber: "number", "percentile", "threshold", "forecast_reference_time", "step", "direction", "frequency", "modelVersion", ""},
	NamesCF: {axisNumber: "realization", "percentile", "threshold", "forecast_reference_time", "forecast_period", "direction", "frequency",
		"modelVersion", ""},
}

// baseName is the name of an axis, before it is made unique.
func (p *axisPlan) baseName(b *block, kind axisKind) string {
	switch {
	case kind < axisNumber:
		return b.keys[kind].name
	case kind == axisLevel:
		if b.kind.levelType == "" {
			return "level"
		}
		return b.kind.levelType
	case kind == axisTime && p.opts.Time == TimeValid:
		return mapping.KeyValidTime
	}
	return axisNames[p.opts.Names][kind]
}

// levelOrder ranks types of level: a variable of an earlier one keeps the plain name.
var levelOrder = []string{"isobaricInhPa", "hybrid", "theta", "heightAboveGround", "surface", "entireAtmosphere"}

func levelRank(levelType string) int {
	if i := slices.Index(levelOrder, levelType); i >= 0 {
		return i
	}
	return len(levelOrder)
}

// nameBlocks names the variables of a group: the short name for the first that wants it, and with
// the type of level, the window, the derived kind or a number for the others.
func nameBlocks(blocks []*block, names *nameset.Set, opts *Options) map[*block]string {
	wanted := make(map[string][]*block)
	var order []string
	for _, b := range blocks {
		name := plainName(b.kind, opts)
		if wanted[name] == nil {
			order = append(order, name)
		}
		wanted[name] = append(wanted[name], b)
	}
	result := make(map[*block]string, len(blocks))
	for _, name := range order {
		same := wanted[name]
		slices.SortStableFunc(same, func(a, b *block) int { return cmp.Compare(levelRank(a.kind.levelType), levelRank(b.kind.levelType)) })
		first := same[0]
		for _, b := range same {
			result[b] = freeName(names, name, suffixes(b, first))
		}
	}
	return result
}

// freeName is name with as many suffixes as it takes to be free.
func freeName(names *nameset.Set, name string, suffixes []string) string {
	if names.Claim(name) {
		return name
	}
	for _, suffix := range suffixes {
		name += "_" + suffix
		if names.Claim(name) {
			return name
		}
	}
	return names.Next(name)
}

// plainName is the short name. With [NamesCFGRIB] it is ecCodes' name for netCDF, with [NamesCF]
// the name that programs for CF expect.
func plainName(k *kind, opts *Options) string {
	if name := mars.VarName(k.paramID); opts.Names == NamesCFGRIB && name != "" && k.name == mars.ShortName(k.paramID) {
		return name
	}
	if opts.Names != NamesCF {
		return k.name
	}
	// Names of variables in CF programs begin with a letter: 2t is t2m, 10u is u10, 100v is v100.
	digits := len(k.name) - len(strings.TrimLeft(k.name, "0123456789"))
	if digits == 0 || digits == len(k.name) {
		return k.name
	}
	height, rest := k.name[:digits], k.name[digits:]
	if height == "2" {
		return rest + "2m"
	}
	return rest + height
}

// suffixes are the words that tell a block from the first one of its name.
func suffixes(b, first *block) (words []string) {
	if b.kind.levelType != first.kind.levelType && b.kind.levelType != "" {
		words = append(words, b.kind.levelType)
	}
	if b.kind.stepType != first.kind.stepType || b.kind.window != first.kind.window {
		words = append(words, windowWord(b.kind))
	}
	for _, a := range b.kind.splits {
		if !slices.ContainsFunc(first.kind.splits, a.equals) {
			words = append(words, splitWord(a))
		}
	}
	for _, a := range b.tells {
		if text, ok := a.Value.(string); ok && text != "" && !slices.ContainsFunc(first.tells, a.equals) {
			words = append(words, text)
		}
	}
	if b.kind.stepType != first.kind.stepType && !slices.Contains(words, b.kind.stepType) {
		words = append(words, b.kind.stepType)
	}
	return words
}

// equals reports whether two attributes have the same key and value.
func (a Attribute) equals(other Attribute) bool {
	return a.Key == other.Key && fmt.Sprint(a.Value) == fmt.Sprint(other.Value)
}

// windowWord names a statistic by its window: 1h, or accum for one from the start.
func windowWord(k *kind) string {
	switch {
	case k.window == absent || k.window == 0:
		return k.stepType
	case k.window == fromStart:
		return k.stepType
	}
	return durationText(k.window)
}

// durationText is a time in its largest whole unit: 1h, 30m, 15s, 2d.
func durationText(seconds float64) string {
	for _, unit := range []struct {
		length float64
		name   string
	}{{86400, "d"}, {3600, "h"}, {60, "m"}} {
		if n := seconds / unit.length; n >= 1 && n == float64(int64(n)) {
			return strconv.FormatInt(int64(n), 10) + unit.name
		}
	}
	return strconv.FormatFloat(seconds, 'g', -1, 64) + "s"
}

// derivedWords are code table 4.7.
var derivedWords = map[int64]string{0: "em", 1: "wem", 2: "es", 3: "esn", 4: "spread", 5: "lai", 6: "em_all", 8: "min", 9: "max"}

func splitWord(a Attribute) string {
	if n, ok := a.Value.(int64); ok && a.Key == "derivedForecast" {
		if word := derivedWords[n]; word != "" {
			return word
		}
	}
	return strings.ReplaceAll(fmt.Sprint(a.Value), " ", "")
}

// numberText is a number as a name can hold it.
func numberText(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// parameter is the entry of a kind in the parameter database, empty if there is none.
func parameter(k *kind) mars.Param {
	p, _ := mars.LookupParam(int(k.paramID))
	return p
}
