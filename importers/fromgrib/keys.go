package fromgrib

import (
	"github.com/tgmconv/tgmconv/grib/keys"
	"github.com/tgmconv/tgmconv/mapping"
	"github.com/tgmconv/tgmconv/mars"
)

// setNative files a key under its native type among the identification keys, if the message has it.
func setNative(attrs *mapping.Attributes, h *keys.Handle, name string) error {
	v, err := h.Get(name)
	if err != nil {
		return nil
	}
	return attrs.Set(mars.GroupIdentification, name, v)
}
