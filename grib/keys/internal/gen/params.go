package main

import (
	"path"
	"sort"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/tgmconv/tgmconv/grib/keys/internal/defs"
)

// The parameter database of package mars maps paramId to the parameter's texts. They are short name,
// name, units, CF standard name and name of a netCDF variable, drawn from all concept tables. Where
// centres differ the WMO and ECMWF tables count first.

type param struct{ shortName, name, units, cfName, varName string }

// paramSources lists the paramId tables by precedence.
func (c *compiler) paramSources() []string {
	first := []string{
		"grib2/paramId.def", "grib2/localConcepts/ecmf/paramId.def", "grib1/localConcepts/ecmf/paramId.def",
		"grib1/paramId.def", "grib2/paramId.lte33.def", "grib2/localConcepts/ecmf/paramId.lte33.def",
		"grib2/paramId.chemsplit.def", "grib2/localConcepts/ecmf/paramId.legacy.def",
	}
	seen := map[string]bool{}
	var out []string
	for _, n := range first {
		if f := c.files[n]; f != nil {
			seen[n] = true
			out = append(out, n)
		}
	}
	for _, n := range sortedNames(c.files) {
		if strings.HasPrefix(path.Base(n), "paramId.") && !seen[n] {
			out = append(out, n)
		}
	}
	return out
}

// byConditions maps the conditions of a table's entries to their values.
func (c *compiler) byConditions(file string) map[string]string {
	out := map[string]string{}
	f := c.files[file]
	if f == nil {
		return out
	}
	for _, e := range f.Concepts {
		out[condKey(e.Conds)] = e.Value
	}
	return out
}

func condKey(conds []defs.Cond) string {
	var w defs.Writer
	w.Conds(conds)
	return string(w.B)
}

// cfNames are the CF tables that hold for a folder, the folder's own last.
func (c *compiler) cfNames(dir, table string) []defs.ConceptEntry {
	var out []defs.ConceptEntry
	edition, _, _ := strings.Cut(dir, "/")
	for _, d := range []string{edition, edition + "/localConcepts/ecmf", dir} {
		for _, base := range []string{table + ".legacy.def", table + ".def"} {
			if f := c.files[d+"/"+base]; f != nil {
				out = append(out, f.Concepts...)
			}
		}
	}
	return out
}

// bestSubset finds the entry with most conditions, all of them among conds.
func bestSubset(list []defs.ConceptEntry, conds []defs.Cond) string {
	have := map[string]bool{}
	for i := range conds {
		have[condKey(conds[i:i+1])] = true
	}
	best, match := "", 0
next:
	for _, e := range list {
		for i := range e.Conds {
			if !have[condKey(e.Conds[i:i+1])] {
				continue next
			}
		}
		if len(e.Conds) >= match {
			best, match = e.Value, len(e.Conds)
		}
	}
	return best
}

func (c *compiler) collectParams() map[int]param {
	out := map[int]param{}
	for _, file := range c.paramSources() {
		dir, base := path.Dir(file), path.Base(file)
		suffix := strings.TrimPrefix(base, "paramId")
		short, name, units := c.byConditions(dir+"/shortName"+suffix), c.byConditions(dir+"/name"+suffix), c.byConditions(dir+"/units"+suffix)
		cf, variable := c.cfNames(dir, "cfName"), c.cfNames(dir, "cfVarName")
		for _, e := range c.files[file].Concepts {
			id, err := strconv.Atoi(e.Value)
			if err != nil || id <= 0 {
				continue
			}
			p := out[id]
			k := condKey(e.Conds)
			fill(&p.shortName, short[k])
			fill(&p.name, name[k])
			fill(&p.units, units[k])
			if p.cfName == "" {
				fill(&p.cfName, bestSubset(cf, e.Conds))
			}
			if _, known := out[id]; p.varName == "" && (!known || general(dir)) {
				fill(&p.varName, bestSubset(variable, e.Conds))
			}
			out[id] = p
		}
	}
	return out
}

// general reports whether the tables of a folder come from the WMO or ECMWF. Names of variables of other
// centres are for their own messages.
func general(dir string) bool { return path.Base(dir) == "ecmf" || !strings.Contains(dir, "/") }

func fill(s *string, v string) {
	if *s == "" && v != "~" && v != "unknown" {
		*s = v
	}
}

// paramDatabase writes the texts of all units and CF names, then the count and the parameters. Each has
// the difference of its number to the number before, short name, name, name of a variable where that is
// not the short name, and the numbers of its units and CF name. All of it is one zstd frame.
func (c *compiler) paramDatabase() ([]byte, int, error) {
	params := c.collectParams()
	ids := make([]int, 0, len(params))
	for id := range params {
		ids = append(ids, id)
	}
	sort.Ints(ids)
	var units, cf pool
	var body defs.Writer
	body.Uint(uint64(len(ids)))
	prev := 0
	for _, id := range ids {
		p := params[id]
		body.Uint(uint64(id - prev))
		prev = id
		body.Str(p.shortName)
		body.Str(p.name)
		if p.varName == p.shortName {
			p.varName = ""
		}
		body.Str(p.varName)
		body.Uint(uint64(units.id(p.units)))
		body.Uint(uint64(cf.id(p.cfName)))
	}
	var w defs.Writer
	for _, list := range [][]string{units.items, cf.items} {
		w.Uint(uint64(len(list)))
		for _, s := range list {
			w.Str(s)
		}
	}
	w.B = append(w.B, body.B...)
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, 0, err
	}
	out := enc.EncodeAll(w.B, nil)
	return out, len(ids), enc.Close()
}
