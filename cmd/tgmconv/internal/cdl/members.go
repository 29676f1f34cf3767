package cdl

import (
	"fmt"

	"github.com/tgmconv/tgmconv/netcdf"
)

// members writes the elements of a compound that holds text or sequences: its members are read one
// after the other.
func (r *rows) members(start, count []uint64, n int) error {
	if n == 0 {
		return nil
	}
	records := make([]netcdf.Record, n)
	for i := range records {
		records[i] = emptyRecord(r.v.Type)
	}
	for _, path := range r.v.Type.MemberPaths() {
		m, err := r.v.Member(path...)
		if err != nil {
			return err
		}
		list, err := memberValues(r, m, start, count, n)
		if err != nil {
			return err
		}
		for i := range records {
			if !set(records[i], path, list[i]) {
				return fmt.Errorf("variable %s: type %s cannot be written as CDL", r.v.Path, r.v.Type.Describe())
			}
		}
	}
	for _, rec := range records {
		s, err := recordText(r.v.Type, rec)
		if err != nil {
			return err
		}
		r.element(s)
	}
	return nil
}

// emptyRecord is a record of a type with the records in it.
func emptyRecord(t *netcdf.Type) netcdf.Record {
	rec := make(netcdf.Record, len(t.Fields))
	for i, f := range t.Fields {
		rec[i].Name = f.Name
		if f.Type.Class == netcdf.Compound {
			rec[i].Value = emptyRecord(f.Type)
		}
	}
	return rec
}

// set stores a value in a record; false for a path through an array.
func set(rec netcdf.Record, path []string, value any) bool {
	for i := range rec {
		switch {
		case rec[i].Name != path[0]:
		case len(path) == 1:
			rec[i].Value = value
			return true
		default:
			inner, ok := rec[i].Value.(netcdf.Record)
			return ok && set(inner, path[1:], value)
		}
	}
	return false
}

// memberValues reads n elements of a member.
func memberValues(r *rows, m *netcdf.Var, start, count []uint64, n int) ([]any, error) {
	list := make([]any, 0, n)
	switch {
	case m.Type.Class == netcdf.String:
		texts, err := m.ReadStrings(r.ctx, start, count)
		if err != nil {
			return nil, err
		}
		for _, s := range texts {
			list = append(list, s)
		}
	case m.Type.Class == netcdf.Vlen && m.Type.Base.Size > 0:
		raw, err := m.ReadVlen(r.ctx, start, count)
		if err != nil {
			return nil, err
		}
		for _, b := range raw {
			items, err := decodeList(m.Type.Base, b)
			if err != nil {
				return nil, err
			}
			list = append(list, items)
		}
	default:
		raw := make([]byte, n*m.Type.Size)
		if err := m.Read(r.ctx, raw, start, count); err != nil {
			return nil, err
		}
		for i := range n {
			e, err := decode(m.Type, raw[i*m.Type.Size:])
			if err != nil {
				return nil, err
			}
			list = append(list, e)
		}
	}
	if len(list) < n {
		return nil, fmt.Errorf("variable %s: %d elements, expected %d", m.Path, len(list), n)
	}
	return list, nil
}
