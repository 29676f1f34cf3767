package page_test

import (
	"bytes"
	"compress/zlib"
	"image"
	"image/color"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/tgmconv/tgmconv/internal/plot/page"
)

// drawn draws an area, lines, texts and a picture.
func drawn(t *testing.T, format string) []byte {
	t.Helper()
	d, err := page.New(format, 200, 100)
	if err != nil {
		t.Fatal(err)
	}
	f, err := page.Font()
	if err != nil {
		t.Fatal(err)
	}
	var path vg.Path
	path.Move(vg.Point{X: 10, Y: 10})
	path.Line(vg.Point{X: 20, Y: 10})
	path.Arc(vg.Point{X: 20, Y: 20}, 5, 0, 3)
	path.QuadTo(vg.Point{X: 5, Y: 5}, vg.Point{X: 1, Y: 1})
	path.Close()
	d.SetColor(color.NRGBA{255, 0, 0, 128})
	d.Fill(path)
	d.Push()
	d.Translate(vg.Point{X: 30, Y: 30})
	d.Rotate(1)
	d.SetLineWidth(2)
	d.Stroke(path)
	d.FillString(page.Face(f, 12), vg.Point{}, "20 °C (π)")
	d.Pop()
	d.FillString(page.Face(f, 12), vg.Point{X: 1, Y: 2}, "-5 °C (a\\b)")
	img := image.NewRGBA(image.Rect(0, 0, 3, 2))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	d.DrawImage(vg.Rectangle{Min: vg.Point{X: 50, Y: 50}, Max: vg.Point{X: 80, Y: 70}}, img)
	var b bytes.Buffer
	if n, err := d.WriteTo(&b); err != nil || n != int64(b.Len()) {
		t.Fatalf("%d bytes of %d, %v", n, b.Len(), err)
	}
	return b.Bytes()
}

// TestPDF demands that the objects of a file lie where its table says, and that its streams can be read.
func TestPDF(t *testing.T) {
	data := drawn(t, "pdf")
	if !bytes.HasPrefix(data, []byte("%PDF-1.5\n")) || !bytes.HasSuffix(data, []byte("%%EOF\n")) {
		t.Fatalf("%.20q … %.20q", data, data[len(data)-20:])
	}
	start, err := strconv.Atoi(strings.Fields(string(data[bytes.LastIndex(data, []byte("startxref"))+9:]))[0])
	if err != nil || !bytes.HasPrefix(data[start:], []byte("xref\n0 7\n")) {
		t.Fatalf("the table lies at %d: %v", start, err)
	}
	for i, m := range regexp.MustCompile(`(\d{10}) 00000 n `).FindAllSubmatch(data[start:], -1) {
		at, _ := strconv.Atoi(string(m[1]))
		if want := strconv.Itoa(i+1) + " 0 obj\n"; !bytes.HasPrefix(data[at:], []byte(want)) {
			t.Errorf("object %d lies not at %d", i+1, at)
		}
	}
	streams := 0
	content := ""
	for _, m := range regexp.MustCompile(`/Length (\d+)>>\nstream\n`).FindAllSubmatchIndex(data, -1) {
		n, _ := strconv.Atoi(string(data[m[2]:m[3]]))
		z, err := zlib.NewReader(bytes.NewReader(data[m[1] : m[1]+n]))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		if streams++; streams == 1 {
			content = string(text)
		} else if len(text) != 3*2*3 {
			t.Errorf("the picture has %d bytes", len(text))
		}
	}
	if streams != 2 {
		t.Errorf("%d streams, expected 2", streams)
	}
	for _, want := range []string{"1 0 0 rg", "/A0 gs", " cm\n", "\nS\n", "\nf\n", `(-5 \260C \(a\\b\)) Tj`, "/I0 Do"} {
		if !strings.Contains(content, want) {
			t.Errorf("%q is not in the page:\n%s", want, content)
		}
	}
	if strings.Contains(content, "20") && strings.Contains(content, "(20") {
		t.Error("a letter that Helvetica lacks is text")
	}
	if q, Q := strings.Count(content, "q\n"), strings.Count(content, "Q\n"); q != Q {
		t.Errorf("%d states are saved, %d restored", q, Q)
	}
}

func TestSVG(t *testing.T) {
	data := string(drawn(t, "svg"))
	for _, want := range []string{"'Liberation Sans',Arial", "data:image/png;base64,", "20 °C (π)"} {
		if !strings.Contains(data, want) {
			t.Errorf("%q is not in the drawing", want)
		}
	}
	if _, err := page.New("eps", 1, 1); err == nil {
		t.Error("a drawing in the format eps")
	}
}
