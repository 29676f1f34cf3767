package mars

import (
	"cmp"
	_ "embed"
	"encoding/binary"
	"errors"
	"math"
	"sort"
	"strconv"
	"sync"
	"unsafe"

	"github.com/klauspost/compress/zstd"
)

// A Param is an entry of the parameter database: the meaning of a paramId.
type Param struct {
	ID        int
	ShortName string // 2t; empty if the parameter has none
	Name      string // 2 metre temperature
	Units     string // K
	CFName    string // CF standard name, air_temperature; may be empty

	varName string // empty if it is the short name
}

// The database is compiled by grib/keys/internal/gen from the concept tables of ecCodes
// 2.50 (see grib/keys/NOTICE). One zstd frame holds the texts of all units and of all
// CF names, then the parameters in order of their numbers. Each has the difference to
// the number before, its short name, name, the name of its variable if that is another,
// and the places of its units and CF name in the texts.
//
//go:embed params_data.bin
var paramsData []byte

// LookupParam returns the parameter with a paramId. It does not allocate,
// except for the first call, which unpacks the database.
func LookupParam(id int) (Param, bool) {
	list, err := params()
	if err != nil {
		return Param{}, false
	}
	i := sort.Search(len(list), func(i int) bool { return list[i].ID >= id })
	if i == len(list) || list[i].ID != id {
		return Param{}, false
	}
	return list[i], true
}

// massMixingRatio is the parameter that constituents share: the short name is mass_mixrat.
const massMixingRatio = 402000

// constituentNames are the CF standard names of the mass mixing ratios of constituents, by their
// numbers in code table 4.230. They are the entries of ecCodes' concept cfName that ask for a
// constituent.
var constituentNames = map[int64]string{
	0: "mass_fraction_of_ozone_in_air", 4: "mass_fraction_of_carbon_monoxide_in_air", 5: "mass_fraction_of_nitrogen_dioxide_in_air",
	8: "mass_fraction_of_sulfur_dioxide_in_air", 9: "mass_fraction_of_ammonia_in_air", 11: "mass_fraction_of_nitrogen_monoxide_in_air",
}

// ConstituentCFName returns the CF standard name of a parameter for a constituent (GRIB's
// constituentType), "" if there is none.
func ConstituentCFName(param, constituent int64) string {
	if param != massMixingRatio {
		return ""
	}
	return constituentNames[constituent]
}

// ShortName returns the short name of a parameter, "" if the number is not known or has none.
func ShortName(id int64) string {
	if id <= 0 || id > math.MaxInt32 {
		return ""
	}
	p, _ := LookupParam(int(id))
	return p.ShortName
}

// ParamNamed returns the number of the parameter with a short name, 0 if there is none. Of several it is the least,
// which is the parameter of ECMWF's table 128.
func ParamNamed(shortName string) int64 {
	return namedParams()[shortName]
}

var namedParams = sync.OnceValue(func() map[string]int64 {
	named := make(map[string]int64)
	for _, p := range Params() {
		if _, taken := named[p.ShortName]; !taken && p.ShortName != "" {
			named[p.ShortName] = int64(p.ID)
		}
	}
	return named
})

// VarName returns ecCodes' name of a netCDF variable of a parameter (its key cfVarName): t2m, u10.
// This is the name that cfgrib shows; it is "" if the number is not known. For most parameters it is
// the short name. It is p with the number if the short name begins with a digit and there is no other
// name.
func VarName(id int64) string {
	if id <= 0 || id > math.MaxInt32 {
		return ""
	}
	p, _ := LookupParam(int(id))
	switch name := cmp.Or(p.varName, p.ShortName); {
	case name == "":
		return ""
	case name[0] >= '0' && name[0] <= '9':
		return "p" + strconv.FormatInt(id, 10)
	default:
		return name
	}
}

// Params returns all parameters, sorted by number. The slice is shared and must
// not be changed.
func Params() []Param {
	list, err := params()
	if err != nil {
		return nil
	}
	return list
}

var params = sync.OnceValues(func() ([]Param, error) { return unpackParams(paramsData) })

var errParams = errors.New("parameter database is damaged")

func unpackParams(data []byte) ([]Param, error) {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<26))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	raw, err := dec.DecodeAll(data, nil)
	if err != nil {
		return nil, err
	}
	// raw is not written to again: the texts are parts of it.
	r := &paramReader{s: unsafe.String(unsafe.SliceData(raw), len(raw)), ok: true}
	units, cf := r.texts(), r.texts()
	n := r.count()
	list := make([]Param, 0, n)
	id := uint64(0)
	for ; n > 0 && r.ok; n-- {
		id += r.uint()
		p := Param{ID: int(id), ShortName: r.text(), Name: r.text(), varName: r.text()}
		u, c := r.uint(), r.uint()
		if u >= uint64(len(units)) || c >= uint64(len(cf)) {
			return nil, errParams
		}
		p.Units, p.CFName = units[u], cf[c]
		list = append(list, p)
	}
	if !r.ok {
		return nil, errParams
	}
	return list, nil
}

type paramReader struct {
	s  string
	ok bool
}

func (r *paramReader) uint() uint64 {
	v, n := binary.Uvarint([]byte(r.s[:min(len(r.s), binary.MaxVarintLen64)]))
	if n <= 0 {
		r.ok, r.s = false, ""
		return 0
	}
	r.s = r.s[n:]
	return v
}

func (r *paramReader) count() int {
	n := r.uint()
	if n > uint64(len(r.s)) {
		r.ok = false
		return 0
	}
	return int(n)
}

func (r *paramReader) text() string {
	n := r.count()
	s := r.s[:n]
	r.s = r.s[n:]
	return s
}

func (r *paramReader) texts() []string {
	n := r.count()
	list := make([]string, 0, n)
	for ; n > 0 && r.ok; n-- {
		list = append(list, r.text())
	}
	return list
}
