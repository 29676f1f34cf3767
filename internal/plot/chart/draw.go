package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/tgmconv/tgmconv/internal/plot/page"
	"github.com/tgmconv/tgmconv/internal/plot/ticks"
)

// Sizes in points.
const (
	pageWidth  = 8 * vg.Inch
	margin     = 16.0
	titleSize  = 14.0
	textSize   = 9.5
	tickSize   = 8.5
	line       = 1.35 // of a line of text, times its size
	swatch     = 16.0 // of a curve in the legend
	lineWidth  = 1.4
	denseWidth = 0.6 // of curves with several values for each point of the page
	mostPanels = 12
	mostNames  = 40 // in the legend
)

// A layout says where things are.
type layout struct {
	*sheet
	chart  *Chart
	names  []string
	colour map[string]color.NRGBA
	legend [][]string // rows
	top    float64    // of the panels
	below  float64    // the height of what is below a panel of series, or below all profiles
}

// panelHeight is the height of the frame of a panel.
func (c *Chart) panelHeight() float64 {
	switch n := len(c.Panels); {
	case c.Profile:
		return 340
	case n == 1:
		return 230
	case n == 2:
		return 160
	}
	return 120
}

// height is the height of the page.
func (c *Chart) height() (float64, error) {
	if len(c.Panels) > mostPanels {
		return 0, fmt.Errorf("found values of %d units, expected at most %d for one chart: choose some of the variables", len(c.Panels), mostPanels)
	}
	l, err := c.lay(nil, 0)
	if err != nil {
		return 0, err
	}
	frame := c.panelHeight() + panelTitle
	if !c.Profile {
		frame *= float64(len(c.Panels))
	}
	return l.top + frame + l.below + margin, nil
}

// panelTitle is the height of the line above the frame of a panel, and of the room before it.
const panelTitle = 2 * textSize

// lay finds the place of the panels.
func (c *Chart) lay(canvas vg.Canvas, height float64) (*layout, error) {
	f, err := page.Font()
	if err != nil {
		return nil, err
	}
	l := &layout{sheet: &sheet{Canvas: canvas, height: height, font: f}, chart: c, names: c.names(), colour: make(map[string]color.NRGBA)}
	for i, name := range l.names {
		l.colour[name] = colourOf(i, len(l.names))
	}
	l.top = margin
	if c.Title != "" {
		l.top += titleSize * line
	}
	if c.Subtitle != "" {
		l.top += textSize * line
	}
	l.legend = l.legendRows()
	l.top += float64(float64(len(l.legend)) * textSize * line)
	if l.below = 4*tickSize + textSize; c.Profile {
		l.below = 2*tickSize + 0.4*textSize
	}
	return l, nil
}

// legendRows are the names of curves, as many in a row as there is room for.
func (l *layout) legendRows() [][]string {
	names := l.names
	if len(names) < 2 {
		return nil
	}
	if more := len(names) - mostNames; more > 0 {
		names = append(slices.Clone(names[:mostNames]), fmt.Sprintf("and %d more", more))
	}
	var rows [][]string
	room := 0.0
	for _, name := range names {
		width := l.entryWidth(name)
		if len(rows) == 0 || width > room {
			rows, room = append(rows, nil), float64(pageWidth)-2*margin
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], name)
		room -= width
	}
	return rows
}

func (l *layout) entryWidth(name string) float64 {
	return swatch + 4 + l.textWidth(l.entryText(name), textSize) + 14
}

func (l *layout) entryText(name string) string { return l.fitted(name, textSize, 240) }

// drawOn draws the chart.
func (c *Chart) drawOn(canvas vg.Canvas, height float64) error {
	l, err := c.lay(canvas, height)
	if err != nil {
		return err
	}
	shared := c.sharedSpan()
	if shared.empty() {
		return ErrEmpty
	}
	spans := make([]span, len(c.Panels))
	empty := true
	for i := range c.Panels {
		spans[i] = c.Panels[i].valueSpan()
		empty = empty && spans[i].empty()
	}
	if empty {
		return ErrEmpty
	}
	l.head()
	if c.Profile {
		l.profiles(shared, spans)
	} else {
		l.series(shared, spans)
	}
	return nil
}

// head writes the titles and the legend.
func (l *layout) head() {
	width, y := float64(pageWidth), margin
	l.fill([]point{{0, 0}, {width, 0}, {width, l.height}, {0, l.height}}, paper)
	if title := l.chart.Title; title != "" {
		l.text(l.fitted(title, titleSize, width-2*margin), point{margin, y + titleSize}, titleSize, left, ink)
		y += titleSize * line
	}
	if title := l.chart.Subtitle; title != "" {
		l.text(l.fitted(title, textSize, width-2*margin), point{margin, y + textSize}, textSize, left, pale)
		y += textSize * line
	}
	for _, row := range l.legend {
		x := margin
		for _, name := range row {
			if c, known := l.colour[name]; known {
				l.stroke([]point{{x, y + 0.7*textSize}, {x + swatch, y + 0.7*textSize}}, 2, c)
			}
			l.text(l.entryText(name), point{x + swatch + 4, y + textSize}, textSize, left, ink)
			x += l.entryWidth(name)
		}
		y += textSize * line
	}
}

// A frame is the rectangle of a panel.
type frame struct{ left, top, right, bottom float64 }

// valueTicks are the numbers beside a panel, or below a profile.
func (l *layout) valueTicks(s span, length float64) []ticks.Tick {
	if s.empty() {
		return nil
	}
	apart := 26.0
	if l.chart.Profile {
		apart = 46
	}
	list := ticks.Numbers(s.low, s.high, max(2, int(length/apart)))
	return slices.DeleteFunc(list, func(t ticks.Tick) bool { return t.At < s.low || t.At > s.high })
}

// widest is the width of the widest text.
func (l *layout) widest(list []ticks.Tick) float64 {
	width := 0.0
	for _, t := range list {
		width = max(width, l.textWidth(t.Text, tickSize))
	}
	return width
}

// series draws panels one below the other, over a common axis.
func (l *layout) series(shared span, spans []span) {
	height := l.chart.panelHeight()
	indent := 0.0
	for _, s := range spans {
		indent = max(indent, l.widest(l.valueTicks(s, height)))
	}
	f := frame{left: margin + indent + 8, right: float64(pageWidth) - margin, top: l.top}
	shared.first, shared.last = f.left+8, f.right-8
	along := l.chart.sharedTicks(&shared, shared.last-shared.first)
	for i := range l.chart.Panels {
		f.top += panelTitle
		f.bottom = f.top + height
		p, s := &l.chart.Panels[i], spans[i]
		s.first, s.last = f.bottom, f.top
		l.text(l.fitted(p.Label, textSize, f.right-f.left), point{f.left, f.top - 0.5*textSize}, textSize, left, ink)
		for _, t := range along {
			x := shared.at(t.At)
			l.stroke([]point{{x, f.top}, {x, f.bottom}}, 0.5, rule)
		}
		for _, t := range l.valueTicks(s, height) {
			y := s.at(t.At)
			l.stroke([]point{{f.left, y}, {f.right, y}}, 0.5, rule)
			l.text(t.Text, point{f.left - 5, y + 0.35*tickSize}, tickSize, right, ink)
		}
		l.curves(p, func(at, v float64) point { return point{shared.at(at), s.at(v)} }, shared.last-shared.first)
		l.edge(f)
		f.top = f.bottom
	}
	l.textsBelow(f, &shared, along)
	l.text(l.chart.Shared.Label, point{(f.left + f.right) / 2, f.bottom + 3*tickSize + textSize}, textSize, centre, ink)
}

// textsBelow writes the texts of ticks, in two lines. A text of the second line that would meet the
// next is left out.
func (l *layout) textsBelow(f frame, s *span, list []ticks.Tick) {
	free := math.Inf(1)
	for _, t := range slices.Backward(list) {
		x := s.at(t.At)
		l.stroke([]point{{x, f.bottom}, {x, f.bottom + 3}}, 0.7, ink)
		l.text(t.Text, point{x, f.bottom + 4 + tickSize}, tickSize, centre, ink)
		if half := float64(l.textWidth(t.Day, tickSize) / 2); t.Day != "" && x+half+4 < free {
			x = max(x, margin+half)
			l.text(t.Day, point{min(x, float64(pageWidth)-margin/2-half), f.bottom + 4 + 2.2*tickSize}, tickSize, centre, ink)
			free = x - half
		}
	}
}

// edge draws the left and the lower side of a frame.
func (l *layout) edge(f frame) {
	l.stroke([]point{{f.left, f.top}, {f.left, f.bottom}, {f.right, f.bottom}}, 0.8, ink)
}

// profiles draws panels side by side, with a common upright axis.
func (l *layout) profiles(shared span, spans []span) {
	height := l.chart.panelHeight()
	f := frame{top: l.top + panelTitle/2}
	f.bottom = f.top + height
	shared.first, shared.last = f.bottom-8, f.top+8
	if l.chart.Shared.Down {
		shared.first, shared.last = shared.last, shared.first
	}
	along := l.chart.sharedTicks(&shared, height-16)
	f.left = margin + textSize*line + l.widest(along) + 8
	l.upright(l.chart.Shared.Label, point{margin + textSize, (f.top + f.bottom) / 2}, textSize, ink)
	const gap = 22
	n := float64(len(l.chart.Panels))
	width := (float64(pageWidth) - margin - f.left - float64(gap*(n-1))) / n
	for i := range l.chart.Panels {
		f.right = f.left + width
		p, s := &l.chart.Panels[i], spans[i]
		s.first, s.last = f.left, f.right
		for _, t := range along {
			y := shared.at(t.At)
			l.stroke([]point{{f.left, y}, {f.right, y}}, 0.5, rule)
			if i == 0 {
				l.text(t.Text, point{f.left - 5, y + 0.35*tickSize}, tickSize, right, ink)
			}
		}
		list := l.valueTicks(s, width)
		for _, t := range list {
			x := s.at(t.At)
			l.stroke([]point{{x, f.top}, {x, f.bottom}}, 0.5, rule)
		}
		l.curves(p, func(at, v float64) point { return point{s.at(v), shared.at(at)} }, height)
		l.edge(f)
		l.textsBelow(f, &s, list)
		l.text(l.fitted(p.Label, textSize, width+gap), point{(f.left + f.right) / 2, f.bottom + 2*tickSize + textSize + 4}, textSize, centre, ink)
		f.left = f.right + gap
	}
}
