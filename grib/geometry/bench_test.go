package geometry

import "testing"

func BenchmarkCoordinates(b *testing.B) {
	o := func(n int) *Grid {
		pl, total := make([]int, 2*n), 0
		for j := range pl {
			pl[j] = octahedralRow(j, len(pl))
			total += pl[j]
		}
		f := &reducedGaussian{n: int64(n)}
		f.lat1 = newGaussianLatitudes(n).at(0)
		f.lat2 = -f.lat1
		f.lon2 = 360 - 360/float64(pl[n])
		return &Grid{GridType: "reduced_gg", Edition: 2, NumberOfDataPoints: total, Nj: 2 * n, PL: pl, family: f}
	}
	quarter := func(f family) *Grid {
		return &Grid{Edition: 2, NumberOfDataPoints: 1440 * 721, Ni: 1440, Nj: 721, Earth: Earth{Radius: 6371229}, family: f}
	}
	globe := region{lat1: 90, lat2: -90, lon2: 359.75, di: 0.25, dj: 0.25}
	for name, g := range map[string]*Grid{
		"O320": o(320), "O1280": o(1280), "O2560": o(2560),
		"quarter degree":             quarter(&latLon{region: globe}),
		"rotated quarter degree":     quarter(&rotatedLatLon{latLon{region: globe, rot: &rotation{lat: -40, lon: 10}}}),
		"Lambert, as many points":    quarter(&lambert{lat1: 20, lon1: 230, lad: 25, lov: 265, dx: 5000, dy: 5000, latin1: 25, latin2: 25}),
		"space view, as many points": quarter(&spaceView{dx: 1440, dy: 721, xp: 720, yp: 360, nr: 6.6107}),
		"HEALPix 512":                {Edition: 2, NumberOfDataPoints: 12 * 512 * 512, Earth: Earth{Radius: 6371229}, family: &healpix{nside: 512, ordering: 1, lon: 45}},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := g.Coordinates(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkGaussianLatitudes1280(b *testing.B) {
	for b.Loop() {
		newGaussianLatitudes(1280).compute(0, 2560)
	}
}
