package plot

import (
	"fmt"
	"time"

	"github.com/tgmconv/tgmconv/internal/option"
	"github.com/tgmconv/tgmconv/internal/plot/colour"
	"github.com/tgmconv/tgmconv/mapping"
)

// Declare adds the options of maps to the options of a command.
func (o *Options) Declare(s *option.Set) {
	o.Width, o.Projection, o.Style = defaultWidth, "auto", Cells
	s.Word("style", &o.Style, Styles(), "how fields are drawn: cells, contourf (filled contours), contour (isolines), barbs or quiver (arrows) of winds")
	s.Number("interval", &o.Interval, "distance between the isolines, or between filled contours")
	s.Text("title", &o.Title, "title of the maps; default: the names of the fields")
	s.Int("width", &o.Width, minWidth, maxWidth, "width of the picture in pixels, 64 to 10000")
	s.Word("projection", &o.Projection, Projections(), "projection of the map: auto, latlon, mercator, stereographic, lambert or orthographic")
	s.Number("columns", &o.Columns, "columns of a sheet; default: the number that makes the sheet about square")
	s.Bool("no-coastlines", &o.NoCoast, "draw no coastlines")
	s.Check(func() error {
		if !(o.Interval >= 0) {
			return fmt.Errorf("--interval is %v, expected a number above 0", o.Interval)
		}
		return nil
	})
}

// Declare adds the options of scales to the options of a command.
func (o *ScaleOptions) Declare(s *option.Set) {
	option.Parsed(s, "colours", &o.Table, "", func(text string) (*Table, error) {
		if t := TableNamed(text); t != nil {
			return t, nil
		}
		return nil, fmt.Errorf("expected %s, or one of these backwards, such as viridis_r", option.Or(colour.Names()))
	}, "colour table: "+option.Or(colour.Names())+", or one of these reversed (viridis_r); default: the table that suits the parameter")
	s.Number("min", &o.Min, "value at the lower end of the colours")
	s.Number("max", &o.Max, "value at the upper end of the colours")
	s.List(mapping.KeyUnits, &o.Units, "units of the drawn values, for fields that can be converted: "+option.Or(Units())+" (several joined by commas)")
	s.Check(func() error {
		if o.Min >= o.Max {
			return fmt.Errorf("--min %v is not below --max %v", o.Min, o.Max)
		}
		for _, name := range o.Units {
			if _, known := units[name]; !known {
				return fmt.Errorf("--units is %q, expected some of %s", name, option.Or(Units()))
			}
		}
		return nil
	})
}

// DeclareDelay adds the option of how long the pictures of animations are shown.
func DeclareDelay(s *option.Set, each *time.Duration) {
	*each = 500 * time.Millisecond
	s.Add(option.Option{Name: "delay", Value: each, Help: "how long each picture of an animation is shown"}, func() error {
		if *each < time.Millisecond || *each > time.Minute {
			return fmt.Errorf("is %v, expected 1ms to 1m", *each)
		}
		return nil
	})
}
