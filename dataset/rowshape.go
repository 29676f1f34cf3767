package dataset

// RowShape is the shape of runs of whole rows of an array that have at most a number of bytes, or of a
// part of one row where that has more. size is that of an element.
func RowShape[T int64 | uint64](shape []T, size, most T) []T {
	rows := make([]T, len(shape))
	for i := len(shape) - 1; i >= 0; i-- {
		rows[i] = max(1, min(shape[i], most/size))
		size *= rows[i]
	}
	return rows
}
