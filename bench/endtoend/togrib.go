package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// toGRIB times to-grib of CCSDS fields against a copy of the bytes, and against a peer that does
// with the reference's package and ecCodes what the reference's to-grib does.
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

// keptStreams times to-grib of CCSDS fields of 16 bits, whose streams are kept as they are, against
// copies of the bytes that do and that do not wait for the disk; to-grib does.
func keptStreams(tgmconv, dir string, fields, n int) error {
	in, _, err := repeat(dir, "fixtures", fields)
	if err != nil {
		return err
	}
	narrow, wide, message := filepath.Join(dir, "12.tgm"), filepath.Join(dir, "16.grib2"), filepath.Join(dir, "16.tgm")
	for _, args := range [][]string{
		{"convert-grib", "--quiet", "-o", narrow, in}, {"to-grib", "--quiet", "--packing", "ccsds", "--bits", "16", "-o", wide, narrow},
		{"convert-grib", "--quiet", "-o", message, wide},
	} {
		if out, err := exec.Command(tgmconv, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", args, err, out)
		}
	}
	st, err := os.Stat(wide)
	if err != nil {
		return err
	}
	out := filepath.Join(dir, "out.grib2")
	fmt.Printf("to-grib of %d CCSDS fields of 16 bits, %d MB\n", fields, st.Size()>>20)
	for _, c := range []struct {
		name string
		args []string
	}{
		{"tgmconv", []string{tgmconv, "to-grib", "--quiet", "-o", out, message}},
		{"cp and sync", []string{"sh", "-c", "cp --reflink=never \"$0\" \"$1\" && sync \"$1\"", wide, out}},
		{"cp", []string{"cp", "--reflink=never", wide, out}},
	} {
		r, err := measure(n, out, c.args)
		if err != nil {
			return err
		}
		show(c.name, r, st.Size())
	}
	return nil
}
