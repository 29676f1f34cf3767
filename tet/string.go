package tet

import "fmt"

// String returns the name, type and shape of the dataset: "t2m f32 [2 5 7]".
func (d *Dataset) String() string {
	return fmt.Sprintf("%s %v %v", d.Name, d.DType, d.Shape)
}
