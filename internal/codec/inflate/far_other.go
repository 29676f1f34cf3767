//go:build !amd64

package inflate

// far decodes symbols while both ends are far.
func (d *decoder) far() (done bool, err error) { return d.fast() }
