package fromzarr

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/zarr"
)

// newVariable makes the variable of an array, and returns its dimensions.
func newVariable(name, at string, a *zarr.Array, folder *store) (*netcdf.Var, []axis) {
	meta := a.Metadata()
	e, err := meta.Element()
	if err != nil {
		return newUnread(name, at, meta, err)
	}
	v := &netcdf.Var{Name: name, Path: at, Type: typeOf(e), Storage: storageOf(meta)}
	v.Storage.Rows = a.InRows() && v.Storage.Layout == netcdf.Chunked
	v.Attrs = attributes(meta.Attributes, v.Type)
	axes, read := axesOf(meta), &elements{array: a, folder: folder}
	if isScalar(meta) {
		axes, read.scalar, v.Storage = nil, true, netcdf.Storage{Layout: netcdf.Contiguous}
	}
	switch e.Kind {
	case zarr.KindTime, zarr.KindTimeDelta:
		var described []netcdf.Attr
		described, read.times = timesOf(e)
		for _, attr := range described {
			if v.Attr(attr.Name) == nil {
				v.Attrs = append(v.Attrs, attr)
			}
		}
		setFill(v, []int64{notATime})
	case zarr.KindBytes:
		if e.Size == 1 && len(axes) > 0 { // characters, whose last dimension is the texts' length, as xarray has them
			break
		}
		read.width = e.Size
		axes = append(axes, axis{fmt.Sprintf("string%d", e.Size), uint64(e.Size)})
		if v.Storage.ChunkShape = slices.Clone(v.Storage.ChunkShape); v.Storage.Layout == netcdf.Chunked {
			v.Storage.ChunkShape = append(v.Storage.ChunkShape, uint64(e.Size))
		}
	case zarr.KindNumber:
		if fill := fillOf(meta, v.Type); fill != nil {
			setFill(v, fill)
		} else if e.Missing != nil && v.Type.Numeric() {
			setFill(v, numbersIn(e.Missing, v.Type))
		}
		if e.Number == zarr.Bool && v.Attr("dtype") == nil { // by which xarray knows them again
			v.Attrs = append(v.Attrs, textAttr("dtype", "bool"))
		}
	}
	return netcdf.NewVar(v, read), axes
}

// newUnread is a variable whose elements cannot be read.
func newUnread(name, at string, meta *zarr.ArrayMetadata, why error) (*netcdf.Var, []axis) {
	v := &netcdf.Var{Name: name, Path: at, Type: &netcdf.Type{Class: netcdf.Other, Name: string(meta.DataType)}, Err: why}
	v.Attrs = attributes(meta.Attributes, v.Type)
	return netcdf.NewVar(v, nil), axesOf(meta)
}

// fillOf is the value of missing elements, as the value of an attribute. It is the fill value of
// format 2, as xarray takes it; in format 3 the fill value only stands for chunks that are not stored.
func fillOf(meta *zarr.ArrayMetadata, t *netcdf.Type) any {
	if meta.Format != 2 || meta.FillValue == nil || meta.DataType == zarr.Bool || !t.Numeric() {
		return nil
	}
	raw, err := meta.DataType.FillBytes(meta.FillValue)
	if err != nil || len(raw) != t.Size {
		return nil
	}
	return numbersIn(raw, t)
}

// setFill gives a variable the attribute _FillValue, in place of an existing one.
func setFill(v *netcdf.Var, value any) {
	attr := netcdf.Attr{Name: fillAttr, Type: v.Type, Value: value}
	for i := range v.Attrs {
		if v.Attrs[i].Name == fillAttr {
			v.Attrs[i] = attr
			return
		}
	}
	v.Attrs = append(v.Attrs, attr)
}

// axesOf are the dimensions of an array with the names that its document or xarray gives them.
func axesOf(meta *zarr.ArrayMetadata) []axis {
	names := meta.DimensionNames
	if list, ok := meta.Attributes[dimensionsAttr].([]any); names == nil && ok {
		for _, n := range list {
			name, _ := n.(string)
			names = append(names, name)
		}
	}
	if len(names) != len(meta.Shape) {
		names = dimensionsOfNCZarr(meta)
	}
	axes := make([]axis, len(meta.Shape))
	for i, n := range meta.Shape {
		axes[i].n = n
		if len(names) == len(axes) {
			axes[i].name = names[i]
		}
	}
	return axes
}

// elements reads an array.
type elements struct {
	array  *zarr.Array
	folder *store     // nil if it is not known where chunks lie
	times  *timeScale // nil if elements are not times
	width  int        // of texts of bytes, whose characters are a further dimension; 0 for others
	scalar bool       // the array has one element and a dimension that is not shown
}

// Read implements netcdf.Elements.
func (e *elements) Read(ctx context.Context, dst []byte, start, count []uint64) error {
	if e.scalar {
		start, count = append([]uint64{0}, start...), append([]uint64{1}, count...)
	}
	if e.width > 0 {
		return e.readChars(ctx, dst, start, count)
	}
	err := e.array.ReadRegion(ctx, dst, start, count)
	if err == nil && e.times != nil {
		e.times.apply(dst)
	}
	return err
}

// readChars reads characters of texts.
func (e *elements) readChars(ctx context.Context, dst []byte, start, count []uint64) error {
	last := len(start) - 1
	from, n, width := int(start[last]), int(count[last]), e.width
	if n == width {
		return e.array.ReadRegion(ctx, dst, start[:last], count[:last])
	}
	texts := len(dst) / n
	if texts > math.MaxInt/width {
		return fmt.Errorf("%d texts of %d bytes", texts, width)
	}
	whole := make([]byte, texts*width)
	if err := e.array.ReadRegion(ctx, whole, start[:last], count[:last]); err != nil {
		return err
	}
	for i := range texts {
		copy(dst[i*n:][:n], whole[i*width+from:])
	}
	return nil
}

// ReadSequences implements netcdf.Elements.
func (e *elements) ReadSequences(ctx context.Context, start, count []uint64) ([][]byte, error) {
	if e.scalar {
		start, count = []uint64{0}, []uint64{1}
	}
	if meta, err := e.array.Metadata().Element(); err != nil || meta.Kind != zarr.KindChars {
		return e.array.ReadBlobs(ctx, start, count)
	}
	texts, err := e.array.ReadStrings(ctx, start, count)
	list := make([][]byte, len(texts))
	for i, text := range texts {
		list[i] = []byte(text)
	}
	return list, err
}
