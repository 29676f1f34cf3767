package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// toGRIB times to-grib of CCSDS fields against a copy of the bytes, and against a peer that does with
// the reference's package and ecCodes what the reference's to-grib does.
func toGRIB(tgmconv, python, dir, in string, size int64, n, fields int) error {
	message := filepath.Join(dir, "in.tgm")
	if out, err := exec.Command(tgmconv, "convert-grib", "--quiet", "-o", message, in).CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	out := filepath.Join(dir, "out.grib2")
	fmt.Printf("to-grib of %d CCSDS fields of 12 bits, %d MB\n", fields, size>>20)
	ours, err := measure(n, out, []string{tgmconv, "to-grib", "--quiet", "-o", out, message})
	if err != nil {
		return err
	}
	show("tgmconv", ours, size)
	copied, err := measure(n, out, []string{"cp", "--reflink=never", in, out})
	if err != nil {
		return err
	}
	show("cp", copied, size)
	if _, err := os.Stat(python); err != nil {
		fmt.Println("  peer         skipped: " + python + " is not installed")
		return nil
	}
	peer, err := measure(1, out, []string{python, "bench/peer/togrib_peer.py", message, out})
	if err != nil {
		return err
	}
	show("reference's way", peer, size)
	fmt.Printf("  ratio      %.1f times as fast as the reference's way (%.1f by CPU time), %.1f times the time of cp\n",
		float64(peer.wall)/float64(ours.wall), float64(peer.cpu)/float64(ours.cpu), float64(ours.wall)/float64(copied.wall))
	return nil
}
