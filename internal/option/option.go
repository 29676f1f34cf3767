// Package option declares the settings of a library beside it: names, values, words that are allowed, help. A command
// makes flags, help, completion and checks of one declaration; the library knows nothing of command lines.
//
// A type with settings has a method Declare, which adds them to a [Set]:
//
//	func (o *Options) Declare(s *option.Set) {
//		option.Choice(s, "pack", &o.Pack, packs, "type of values")
//		s.Int("deflate", &o.Level, 0, 9, "level of compression")
//	}
package option

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An Option is a setting that users give by its name.
type Option struct {
	Name, Letter, Help string
	// Value points to the variable to set, which has the default: *bool, *int, *int64, *float64, *string, *time.Duration,
	// *[]string, *[]float64 and *map[string]string (joined by commas), *Texts, or a [Value].
	Value    any
	Words    []string // that the value, or each of a list, may be; nil if they are not few
	From, To int      // range of an integer; both 0 if there is none
	Env      string   // variable of the environment that stands for it where it is not given
	Bare     string   // value of the name alone
	Given    bool     // whether the user gave it, known when checks run

	check func() error
}

// Texts are texts that are given one by one, and may have commas.
type Texts []string

// A Value is a setting that is read from a text.
type Value interface {
	String() string
	Set(text string) error
	Type() string
}

// A Set is the settings of a command, in the order of its help.
type Set struct {
	Options []*Option
	checks  []func() error
}

// Add adds a setting, whose name may have a letter that is short for it: "where/w". Check, which may be nil, looks at its value before anything is done; its error goes on after
// the name of the setting: "is 12, expected 0 to 9".
func (s *Set) Add(o Option, check func() error) {
	o.check = check
	if name, letter, ok := strings.Cut(o.Name, "/"); ok {
		o.Name, o.Letter = name, letter
	}
	s.Options = append(s.Options, &o)
}

// Bool adds a setting that is on or off.
func (s *Set) Bool(name string, p *bool, help string) {
	s.Add(Option{Name: name, Value: p, Help: help}, nil)
}

// Text adds a setting of any text.
func (s *Set) Text(name string, p *string, help string) {
	s.Add(Option{Name: name, Value: p, Help: help}, nil)
}

// List adds a setting of several texts joined by commas.
func (s *Set) List(name string, p *[]string, help string) {
	s.Add(Option{Name: name, Value: p, Help: help}, nil)
}

// Each adds a setting of texts that are given one by one.
func (s *Set) Each(name string, p *[]string, help string) {
	s.Add(Option{Name: name, Value: (*Texts)(p), Help: help}, nil)
}

// Number adds a setting of any number, or of a [Value].
func (s *Set) Number(name string, p any, help string) {
	s.Add(Option{Name: name, Value: p, Help: help}, nil)
}

// Int adds a setting of an integer within a range. The default need not lie in it.
func (s *Set) Int(name string, p *int, from, to int, help string) {
	unset := *p
	s.Add(Option{Name: name, Value: p, Help: help, From: from, To: to}, func() error {
		if *p != unset && (*p < from || *p > to) {
			return fmt.Errorf("is %d, expected %d to %d", *p, from, to)
		}
		return nil
	})
}

// Word adds a setting of one of a few words, or of none if the text is empty.
func (s *Set) Word(name string, p *string, words []string, help string) {
	s.Add(Option{Name: name, Value: p, Help: help, Words: words}, func() error {
		if *p != "" && !slices.Contains(words, *p) {
			return fmt.Errorf("is %q, expected %s", *p, Or(words))
		}
		return nil
	})
}

// Words adds a setting of several of a few words, joined by commas.
func (s *Set) Words(name string, p *[]string, words []string, help string) {
	s.Add(Option{Name: name, Value: p, Help: help, Words: words}, func() error {
		for _, word := range *p {
			if !slices.Contains(words, word) {
				return fmt.Errorf("is %q, expected %s", word, Or(words))
			}
		}
		return nil
	})
}

// Parsed adds a setting of a text that parse reads, if it is not empty.
func Parsed[T any](s *Set, name string, p *T, text string, parse func(string) (T, error), help string) {
	s.Add(Option{Name: name, Value: &text, Help: help}, func() (err error) {
		if text == "" {
			return nil
		}
		if *p, err = parse(text); err != nil {
			err = fmt.Errorf("is %q: %w", text, err)
		}
		return err
	})
}

// Choice adds a setting that has a word for each of its values, the nth for the value n.
func Choice[T ~int](s *Set, name string, p *T, words []string, help string) {
	text := words[*p]
	s.Add(Option{Name: name, Value: &text, Help: help, Words: words}, func() error {
		i := slices.Index(words, text)
		if i < 0 {
			return fmt.Errorf("is %q, expected %s", text, Or(words))
		}
		*p = T(i)
		return nil
	})
}

// Env names the variable of the environment that stands for a setting.
func (s *Set) Env(name, variable string) {
	for _, o := range s.Options {
		if o.Name == name {
			o.Env = variable
		}
	}
}

// Has reports whether a setting is declared already.
func (s *Set) Has(name string) bool {
	return slices.ContainsFunc(s.Options, func(o *Option) bool { return o.Name == name })
}

// Check adds a check of several settings, which is made after the checks of each.
func (s *Set) Check(check func() error) { s.checks = append(s.checks, check) }

// Given reports whether the user gave a setting.
func (s *Set) Given(name string) bool {
	return slices.ContainsFunc(s.Options, func(o *Option) bool { return o.Name == name && o.Given })
}

// Validate makes all checks, in the order of the declarations, and returns the first error.
func (s *Set) Validate() error {
	for _, o := range s.Options {
		if o.check == nil {
			continue
		}
		if err := o.check(); err != nil {
			return fmt.Errorf("--%s %w", o.Name, err)
		}
	}
	for _, check := range s.checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// Or is a list of alternatives: "a, b or c".
func Or(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// ParseBytes reads a number of bytes, such as 500MB or 4GiB.
func ParseBytes(text string) (int64, error) {
	digits := strings.TrimRight(text, "BKMGTbikmgt ")
	n, err := strconv.ParseFloat(digits, 64)
	factor, ok := map[string]float64{
		"": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
	}[strings.ToLower(strings.TrimSpace(text[len(digits):]))]
	if bytes := n * factor; err == nil && ok && bytes >= 1<<20 && bytes < 1<<50 {
		return int64(bytes), nil
	}
	return 0, fmt.Errorf("found %q, expected a size of at least 1MiB, such as 500MB or 4GiB", text)
}
