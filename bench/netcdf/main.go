// Command netcdf measures package ncwrite against nccopy and cp on the same file in the same run:
//
//	go run ./bench/netcdf [-records 48] [-rounds 3]
//
// A file of float32 fields of 721 x 1440 points is copied: with deflate 1 and shuffle, and as it
// is. The fastest of the rounds counts, in wall time and in CPU time; a ratio above 1 says that
// ours is faster. Peers that are not installed are named as skipped.
package main

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/tgmconv/tgmconv/netcdf"
	"github.com/tgmconv/tgmconv/netcdf/ncwrite"
)

func main() {
	records := flag.Uint64("records", 48, "fields of the file, of 4 MB each")
	rounds := flag.Int("rounds", 3, "times each side does each task")
	rewrite := flag.String("rewrite", "", "the command interop/netcdf/rewrite, built when empty")
	flag.Parse()
	if err := run(*records, *rounds, *rewrite); err != nil {
		fmt.Fprintln(os.Stderr, "bench/netcdf:", err)
		os.Exit(1)
	}
}

func run(records uint64, rounds int, ours string) error {
	dir, err := os.MkdirTemp("", "bench-netcdf-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if ours == "" {
		ours = filepath.Join(dir, "rewrite")
		if out, err := exec.Command("go", "build", "-o", ours, "./interop/netcdf/rewrite").CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w", out, err)
		}
	}
	in, out := filepath.Join(dir, "in.nc"), filepath.Join(dir, "out.nc")
	if err := makeInput(in, records); err != nil {
		return err
	}
	fmt.Printf("%d MB of float32\n%-20s %-8s %10s %10s %8s %8s\n", records*ny*nx*4/1e6, "task", "peer", "ours", "peer", "wall", "CPU")
	for _, task := range []struct {
		name string
		ours []string
		peer []string
	}{
		{"deflate 1, shuffle", []string{ours, "-shuffle", "-deflate", "1", in, out}, []string{"nccopy", "-d1", "-s", in, out}},
		{"plain", []string{ours, in, out}, []string{"cp", in, out}},
	} {
		if _, err := exec.LookPath(task.peer[0]); err != nil {
			fmt.Printf("%-20s skipped: %s is not installed\n", task.name, task.peer[0])
			continue
		}
		a, b := measure{}, measure{}
		for range rounds {
			if err := a.time(out, task.ours); err != nil {
				return err
			}
			if err := b.time(out, task.peer); err != nil {
				return err
			}
		}
		fmt.Printf("%-20s %-8s %9.3fs %9.3fs %8.2f %8.2f\n", task.name, task.peer[0], a.wall.Seconds(), b.wall.Seconds(),
			b.wall.Seconds()/a.wall.Seconds(), b.cpu.Seconds()/a.cpu.Seconds())
	}
	return nil
}

// measure is the fastest of several runs.
type measure struct{ wall, cpu time.Duration }

func (m *measure) time(out string, args []string) error {
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	cmd := exec.Command(args[0], args[1:]...)
	begin := time.Now()
	text, err := cmd.CombinedOutput()
	wall := time.Since(begin)
	if err != nil {
		return fmt.Errorf("%s: %s: %w", args[0], text, err)
	}
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if m.wall == 0 || wall < m.wall {
		m.wall = wall
	}
	if m.cpu == 0 || cpu < m.cpu {
		m.cpu = cpu
	}
	return nil
}

const ny, nx = 721, 1440

// makeInput writes fields as smooth and as noisy as temperatures are, with one chunk a field.
func makeInput(path string, records uint64) error {
	v := &ncwrite.Var{Name: "t", Type: ncwrite.Atomic(netcdf.Float), Dims: []string{"time", "lat", "lon"}, ChunkShape: []uint64{1, ny, nx}}
	root := &ncwrite.Group{
		Dims: []*netcdf.Dim{{Name: "time", Len: records}, {Name: "lat", Len: ny}, {Name: "lon", Len: nx}},
		Vars: []*ncwrite.Var{v},
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	w, err := ncwrite.Create(out, netcdf.NetCDF4, root)
	if err != nil {
		return err
	}
	defer w.Abort()
	for i := range records {
		if err := w.Write(context.Background(), v, []uint64{i, 0, 0}, []uint64{1, ny, nx}, field(i)); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return out.Close()
}

func field(i uint64) []byte {
	r := rand.New(rand.NewPCG(i, 1))
	b := make([]byte, 0, 4*ny*nx)
	for y := range ny {
		for x := range nx {
			t := 280 + float64(20*math.Sin(float64(x)/100+float64(i)/5)*math.Cos(float64(y)/90)) + float64(0.3*r.NormFloat64())
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(math.Round(t*64)/64)))
		}
	}
	return b
}
