package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// toNetCDF times to-netcdf of a variable of plain double fields: compressed against nccopy, as it
// is against a copy of the bytes.
func toNetCDF(tgmconv, dir, grib string, n int) error {
	source, message := filepath.Join(dir, "in.nc"), filepath.Join(dir, "nc.tgm")
	for _, args := range [][]string{
		{"to-netcdf", "--quiet", "--pack", "float64", "--deflate", "0", "-o", source, grib},
		{"convert-netcdf", "--quiet", "-o", message, source},
	} {
		if out, err := exec.Command(tgmconv, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
	}
	st, err := os.Stat(source)
	if err != nil {
		return err
	}
	out, size := filepath.Join(dir, "out.nc"), st.Size()
	fmt.Printf("to-netcdf of %d MB of doubles\n", size>>20)
	plain, err := measure(n, out, []string{tgmconv, "to-netcdf", "--quiet", "-o", out, message})
	if err != nil {
		return err
	}
	show("tgmconv, as it is", plain, size)
	copied, err := measure(n, out, []string{"cp", "--reflink=never", source, out})
	if err != nil {
		return err
	}
	show("cp", copied, size)
	ours, err := measure(n, out, []string{tgmconv, "to-netcdf", "--quiet", "--deflate", "1", "-o", out, message})
	if err != nil {
		return err
	}
	show("tgmconv, deflate 1", ours, size)
	if _, err := exec.LookPath("nccopy"); err != nil {
		fmt.Println("  peer         skipped: nccopy is not installed")
		return nil
	}
	peer, err := measure(n, out, []string{"nccopy", "-d1", "-s", source, out})
	if err != nil {
		return err
	}
	show("nccopy -d1 -s", peer, size)
	fmt.Printf("  ratio      deflate %.1f times as fast as nccopy (%.1f by CPU time), as it is %.2f times the rate of cp\n",
		float64(peer.wall)/float64(ours.wall), float64(peer.cpu)/float64(ours.cpu), float64(copied.wall)/float64(plain.wall))
	return nil
}
