package ncwrite

import (
	"fmt"
	"slices"

	"github.com/tgmconv/tgmconv/netcdf"
)

// reservedAttrs are attributes that the netCDF library keeps for itself in netCDF-4 files.
var reservedAttrs = map[string]bool{
	"CLASS": true, "NAME": true, "DIMENSION_LIST": true, "REFERENCE_LIST": true,
	"_Netcdf4Dimid": true, "_Netcdf4Coordinates": true, "_nc3_strict": true, "_NCProperties": true,
}

// checkAttrs checks the names and types of attributes; their values are checked when they are
// encoded.
func (p *plan) checkAttrs(list []netcdf.Attr, path string) error {
	names := map[string]bool{}
	for i := range list {
		a := &list[i]
		at := path + ":" + a.Name
		if err := checkName(at, a.Name); err != nil {
			return err
		}
		switch {
		case names[a.Name]:
			return modelError(at, "a second attribute of this name")
		case !classic(p.kind) && reservedAttrs[a.Name]:
			return modelError(at, "the name is reserved in %s", p.kind)
		case a.Err != nil:
			return modelError(at, "%w", a.Err)
		}
		names[a.Name] = true
		if reference(a.Type) && p.kind == netcdf.NetCDF4 {
			continue // references writes it
		}
		if err := p.checkType(a.Type, at); err != nil {
			return err
		}
	}
	return nil
}

// attrBytes returns the value of an attribute without text or sequences in a heap: little-endian
// elements and their number.
func attrBytes(a *netcdf.Attr) (data []byte, n int, err error) {
	if data, err = attrElements(a, &encoder{}); err != nil {
		return nil, 0, err
	}
	size := fileSize(a.Type)
	if size == 0 || len(data)%size != 0 {
		return nil, 0, fmt.Errorf("%d bytes for elements of %d", len(data), size)
	}
	return data, len(data) / size, nil
}

// attrElements returns the elements of an attribute, little-endian.
func attrElements(a *netcdf.Attr, e *encoder) ([]byte, error) {
	value := a.Value
	if texts, ok := value.([]string); ok && len(a.Null) > 0 && a.Type.Class == netcdf.String {
		texts = slices.Clone(texts)
		for _, i := range a.Null {
			if i >= 0 && i < len(texts) && texts[i] == "" {
				texts[i] = Null
			}
		}
		value = texts
	}
	data, err := e.list(nil, a.Type, value)
	if err == nil && a.Type.Class == netcdf.Char {
		data = append(data, make([]byte, max(0, a.Zeros))...)
	}
	return data, err
}

// find returns the attribute with a name, or nil.
func find(list []netcdf.Attr, name string) *netcdf.Attr {
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}

// fillElement returns the element that stands where nothing is written, little-endian. It is Fill, or the
// attribute _FillValue if it has the type of the variable, else the default of the type, nil if it has
// none.
func (v *variable) fillElement() ([]byte, error) {
	if len(v.Fill) > 0 {
		if numbers := v.Type.Class.Numeric() || v.Type.Class == netcdf.Char; !numbers || len(v.Fill) != v.size {
			return nil, modelError(v.path, "a fill value of %d bytes for type %s", len(v.Fill), v.Type.Class)
		}
		return slices.Clone(v.Fill), nil
	}
	a := find(v.Attrs, "_FillValue")
	if a != nil && sameType(a.Type, v.Type) && !inHeap(a.Type) {
		data, n, err := attrBytes(a)
		if err != nil {
			return nil, modelError(v.path+":_FillValue", "%w", err)
		}
		if n == 1 && len(data) == v.size {
			return data, nil
		}
	}
	return defaultFill(v.Type), nil
}

// sameType reports whether elements of two types are the same in the file.
func sameType(a, b *netcdf.Type) bool {
	if a == b {
		return true
	}
	if a.Class != b.Class {
		return false
	}
	return !userDefined(a) || a.Name == b.Name && fileSize(a) == fileSize(b)
}

// defaultFill returns the default fill value of a type, little-endian, nil if it has none.
func defaultFill(t *netcdf.Type) []byte {
	value, ok := netcdf.DefaultFill(t.Class)
	if !ok {
		return nil
	}
	var b []byte
	var err error
	switch x := value.(type) {
	case int64:
		if t.Class == netcdf.Char {
			return []byte{byte(x)}
		}
		b, err = number(nil, t, x)
	case uint64:
		b, err = number(nil, t, x)
	case float64:
		b, err = number(nil, t, x)
	}
	if err != nil {
		return nil
	}
	return b
}
