package ticks

import "time"

// A pace is a distance between the ticks of times: a duration, or months.
type pace struct {
	step         time.Duration
	months       int
	layout, days string // of the first line and the second
}

const day = 24 * time.Hour

// paces are in ascending order.
var paces = func() (list []pace) {
	for _, s := range []time.Duration{1, 2, 5, 10, 15, 30} {
		list = append(list, pace{step: s * time.Second, layout: "15:04:05", days: "2 Jan 2006"})
	}
	for _, m := range []time.Duration{1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720} {
		list = append(list, pace{step: m * time.Minute, layout: "15:04", days: "2 Jan 2006"})
	}
	for _, d := range []time.Duration{1, 2, 4, 7, 14} {
		list = append(list, pace{step: d * day, layout: "2", days: "Jan 2006"})
	}
	for _, m := range []int{1, 2, 3, 6} {
		list = append(list, pace{months: m, layout: "Jan", days: "2006"})
	}
	for _, y := range []int{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000} {
		list = append(list, pace{months: 12 * y, layout: "2006"})
	}
	return list
}()

// seconds is about how long a pace is.
func (p *pace) seconds() float64 { return p.step.Seconds() + float64(p.months)*(30*day).Seconds() }

// before is the last time of the pace that is not after t: weeks begin on Monday.
func (p *pace) before(t time.Time) time.Time {
	if p.months == 0 {
		return t.Truncate(p.step)
	}
	months := t.Year()*12 + int(t.Month()) - 1
	return time.Date(0, time.Month(months-months%p.months+1), 1, 0, 0, 0, 0, time.UTC)
}

func (p *pace) next(t time.Time) time.Time {
	if p.months == 0 {
		return t.Add(p.step)
	}
	return t.AddDate(0, p.months, 0)
}

// Times are at most about n times from first to last, in seconds since 1970 UTC. The text of the second line
// is there where it changes.
func Times(first, last time.Time, n int) []Tick {
	first, last = first.UTC(), last.UTC()
	p := paces[len(paces)-1]
	for _, next := range paces {
		if float64(last.Unix()-first.Unix()) < float64(n)*next.seconds() {
			p = next
			break
		}
	}
	var list []Tick
	text := ""
	for t := p.before(first); !t.After(last); t = p.next(t) {
		if t.Before(first) {
			continue
		}
		tick := Tick{At: float64(t.Unix()), Text: t.Format(p.layout)}
		if p.days != "" && t.Format(p.days) != text {
			text = t.Format(p.days)
			tick.Day = text
		}
		list = append(list, tick)
	}
	if len(list) == 0 {
		list = []Tick{{At: float64(first.Unix()), Text: first.Format("15:04:05"), Day: first.Format("2 Jan 2006")}}
	}
	return list
}
