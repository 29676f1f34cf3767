package geometry

import (
	"runtime"
	"sync"
)

// parallelPoints is the work, in points, below which another goroutine costs more than it saves.
const parallelPoints = 1 << 15

// parallelRows calls row for 0 to rows-1, from several goroutines when there are many points. The
// calls must not depend on each other.
func parallelRows(rows, pointsEach int, row func(j int)) {
	workers := min(runtime.GOMAXPROCS(0), rows*max(pointsEach, 1)/parallelPoints, rows)
	if workers < 2 {
		for j := range rows {
			row(j)
		}
		return
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for j := rows * w / workers; j < rows*(w+1)/workers; j++ {
				row(j)
			}
		})
	}
	wg.Wait()
}
