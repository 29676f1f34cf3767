package dataset

// RowShape returns the shape of a block of whole rows of an array that has at most most bytes, or
// of a part of one row if a row has more. size is the size of an element in bytes.
func RowShape[T int64 | uint64](shape []T, size, most T) []T {
	rows := make([]T, len(shape))
	for i := len(shape) - 1; i >= 0; i-- {
		rows[i] = max(1, min(shape[i], most/size))
		size *= rows[i]
	}
	return rows
}
