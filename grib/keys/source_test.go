package keys_test

import (
	"github.com/tgmconv/tgmconv/grib"
	"github.com/tgmconv/tgmconv/grib/keys"
)

// fieldSource decodes the message with package grib.
type fieldSource struct{ msg []byte }

func source(msg []byte) keys.DataSource { return fieldSource{msg} }

func (s fieldSource) Values() ([]float64, []byte, error) {
	m, err := grib.ParseMessage(s.msg, 0)
	if err != nil {
		return nil, nil, err
	}
	v, mask, err := m.Fields()[0].Decode(nil)
	if err != nil {
		return nil, nil, err
	}
	if mask == nil {
		return v, nil, nil
	}
	return v, mask.Bits, nil
}
