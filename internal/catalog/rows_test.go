package catalog

import (
	"math"
	"reflect"
	"testing"
)

// TestRowList compares the rows of a list with the added rows. It does so at the ends of blocks and with columns of
// all widths.
func TestRowList(t *testing.T) {
	for _, n := range []int{0, 1, blockRows - 1, blockRows, 2*blockRows + 3} {
		var list rowList
		var want []row
		for i := range n {
			r := row{
				size: 7, offset: int64(i) << 20, length: int64(i % 200), reference: noTime + int64(i%3)*math.MaxInt32, valid: -int64(i),
				level: float64(i) / 3, top: -float64(i % 2), number: math.MinInt64 * int64(i%2), record: math.MaxInt64 * int64(i%3%2),
				kind: uint32(i % 300), message: math.MaxUint32 - uint32(i), known: hasValid, format: formatGRIB,
			}
			if i%blockRows == 1 {
				r.values = []byte{byte(i)}
			}
			list.add(r)
			want = append(want, r)
		}
		for _, i := range []int{0, n / 2, n - 1} {
			if i >= 0 && i < n {
				list.setValues(i, []byte("set"))
				want[i].values = []byte("set")
			}
		}
		if list.len() != n || list.hasValues() != (n > 0) {
			t.Fatalf("%d rows with values: %v, expected %d", list.len(), list.hasValues(), n)
		}
		for i, r := range list.all() {
			if !reflect.DeepEqual(r, want[i]) {
				t.Fatalf("row %d of %d: %v, expected %v", i, n, r, want[i])
			}
		}
	}
}
