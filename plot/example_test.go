package plot_test

import (
	"fmt"
	"image/png"
	"io"

	"github.com/tgmconv/tgmconv/look"
	"github.com/tgmconv/tgmconv/plot"
)

func ExampleDraw() {
	grid := &look.Grid{Separable: true, Rows: 3, Cols: 4, Lat: []float64{60, 50, 40}, Lon: []float64{0, 10, 20, 30}}
	panel := &plot.Panel{
		Name: "t", Title: "Temperature", Units: "K", Grid: grid,
		Values: []float64{271, 272, 273, 274, 281, 282, 283, 284, 291, 292, 293, 294},
	}
	img, err := plot.Draw([]*plot.Panel{panel}, plot.Options{Width: 600})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(img.Bounds().Dx(), png.Encode(io.Discard, img))
	// Output: 600 <nil>
}
