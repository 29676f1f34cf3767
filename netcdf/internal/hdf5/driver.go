package hdf5

import (
	"strconv"
	"strings"

	"github.com/tgmconv/tgmconv/netcdf/internal/wire"
)

// beyond explains a reference to a place beyond the end of a file. The file is cut off, or is one
// of the files that a driver of the library has divided a file into. Without a driver the error is
// err.
func (f *File) beyond(err error) error {
	driver := f.driver()
	switch driver {
	case "":
		return err
	case "NCSAmult":
		return f.divided(driver, "multi, which keeps metadata and values in several files")
	case "NCSAfami":
		return f.divided(driver, "family, which cuts a file into several of the same size")
	}
	return f.divided(driver, strconv.Quote(driver))
}

func (f *File) divided(driver, how string) error {
	return wire.UnsupportedBut("files of one piece, such as h5repack makes of all pieces,", "superblock", f.src.Base,
		"one of the files of the HDF5 driver %s (%s)", how, driver)
}

// driver is the name of the driver that wrote the file, "" if it does not say so. It is in the
// driver information block (section II.B) of superblocks 0 and 1:
//
//	version, 0 3, bytes that follow the name 4, name 8, …
//
// and of others in a message of the superblock extension (section IV.A.2.u): version, name 8, ….
func (f *File) driver() string {
	var c *cursor
	if f.superblock < 2 {
		var err error
		if c, err = f.load("driver information block", f.driverBlock, 16); err != nil {
			return ""
		}
		c.version(0, 1)
		c.skip(7)
	} else {
		m, err := f.extensionMessage(msgDriverInfo)
		if m == nil || err != nil {
			return ""
		}
		c = f.cursor("driver information", m)
		c.version(0, 0)
	}
	name := c.take(8)
	if c.err != nil {
		return ""
	}
	return strings.TrimRight(string(name), "\x00 ")
}
