package dataset

import (
	"bytes"
	"math"
	"path"
	"slices"

	"github.com/tgmconv/tgmconv/internal/nd"
	"github.com/tgmconv/tgmconv/tgm"
)

// Bounds of variables without records: bytes in all files that are read to compare them, and that
// they take where each record has its own.
const (
	maxCompared    = 64 << 20  // of one variable
	maxAllCompared = 256 << 20 // of all
	maxRepeated    = 1 << 30
)

// A joinPlan says how files are one dataset.
type joinPlan struct {
	times   map[string]*joinedTimes // by path: times in other units in some of the files
	differ  map[string]bool         // variables without records whose values differ among files
	unknown map[string]bool         // and variables that are too large to be compared, or not read
	unpack  map[string]bool         // variables that are packed in several ways, or of several types: they are shown as values
	dim     string                  // the dimension of records
	records []uint64                // of each file; nil if variables have other numbers of them
}

// countRecords finds the number of records of each file.
func (p *joinPlan) countRecords(files []*sourceFile) {
	for _, f := range files {
		records := uint64(0)
		for j := range f.objects {
			o := &f.objects[j]
			n, _ := o.Base.NetCDF()
			isRecord := o.isRecord()
			if !o.alongRecords() || len(n.Dims) == 0 {
				continue
			}
			of, dim := uint64(0), n.Dims[0]
			if i, _ := o.recordIndex(); isRecord {
				of, dim = i+1, n.Dims[min(o.recordAxis(), len(n.Dims)-1)]
			} else {
				of = o.Shape[0]
			}
			if p.dim == "" {
				p.dim = dim
			}
			if dim != p.dim || !isRecord && records != 0 && of != records {
				p.records = nil
				return
			}
			records = max(records, of)
		}
		p.records = append(p.records, records)
	}
}

// total is the number of records of all files.
func (p *joinPlan) total() (n uint64) {
	for _, of := range p.records {
		n += of
	}
	return n
}

// apart says why a variable whose values differ keeps files apart: it labels a dimension, or it
// cannot have values of each record. It is "" if the variable does not.
func (p *joinPlan) apart(name string, o *Object) string {
	if isLabel(o) {
		return ", which label a dimension"
	}
	total := p.total()
	if p.records == nil || total == 0 || total > mostChunks || rowBytes(append([]uint64{0}, o.Shape...), o.DType) > maxRepeated/total {
		return ", which cannot be repeated with each record"
	}
	return ""
}

// isLabel reports whether a variable is the coordinate of its only dimension.
func isLabel(o *Object) bool {
	n, ok := o.Base.NetCDF()
	if !ok { // of another source
		dims := o.Base.Dims(len(o.Shape))
		return len(dims) == 1 && dims[0] == o.Base.Name(nil)
	}
	return len(n.Dims) == 1 && path.Base(o.Base.Name(nil)) == n.Dims[0]
}

// readWhole reads an object; nil if that fails.
func readWhole(o *Object, read func(ref int) (*tgm.Array, error)) *tgm.Array {
	a, err := read(o.Ref)
	size := nd.Volume(o.Shape) * uint64(o.DType.Size()) // fits: it is less than maxCompared
	if err != nil || a.DType != o.DType || uint64(len(a.Data)) != size {
		return nil
	}
	return a
}

// sameValues reports whether a variable, o, has the values that it has in the first file. Texts may
// be followed by zeros; labels that are numbers may differ by a little.
func sameValues(first, a *tgm.Array, o *Object) bool {
	if isText(o) {
		return sameTexts(first.Data, a.Data, o.Shape)
	}
	if bytes.Equal(first.Data, a.Data) {
		return true
	}
	number := o.DType.Number()
	if number == nil || !o.DType.IsFloat() || len(first.Data) != len(a.Data) {
		return false
	}
	near := 0.0
	if isLabel(o) {
		near = leastStep(first) / 1000
	}
	for at := 0; at < len(a.Data); at += o.DType.Size() {
		x, y := number(first.Data[at:]), number(a.Data[at:])
		if x != y && !(math.Abs(x-y) <= near) && (x == x || y == y) {
			return false
		}
	}
	return true
}

// sameTexts reports whether texts are the same but for zeros at their ends. The second texts have a shape.
func sameTexts(a, b []byte, shape []uint64) bool {
	if len(a) == 0 && len(b) == 0 {
		return true
	}
	texts := int(nd.Volume(shape[:len(shape)-1]))
	if texts == 0 || len(a)%texts != 0 || len(b)%texts != 0 {
		return len(a) == len(b)
	}
	n, m := len(a)/texts, len(b)/texts
	for i := range texts {
		if !bytes.Equal(bytes.TrimRight(a[i*n:(i+1)*n], "\x00"), bytes.TrimRight(b[i*m:(i+1)*m], "\x00")) {
			return false
		}
	}
	return true
}

// leastStep is the least difference of neighbours.
func leastStep(a *tgm.Array) float64 {
	number, size := a.DType.Number(), a.DType.Size()
	least := math.Inf(1)
	for at := size; at < len(a.Data); at += size {
		least = min(least, math.Abs(number(a.Data[at:])-number(a.Data[at-size:])))
	}
	if math.IsInf(least, 0) || math.IsNaN(least) {
		return 0
	}
	return least
}

// repeat gives v the values of a variable without records that differ among files, one object a file. Each
// record has the values of its file.
func (v *Variable) repeat(objects []Object, d *Dataset, path string, width uint64, p *joinPlan) {
	v.refs = nil
	for i, o := range objects {
		d.Report.shown(o.Ref, path, len(v.refs))
		v.refs = append(v.refs, slices.Repeat([]int32{d.refOf(&o, width)}, int(p.records[i]))...)
	}
	v.Shape = append([]uint64{uint64(len(v.refs))}, v.Shape...)
	v.Chunk = append([]uint64{1}, v.Chunk...)
}
