package sidecar

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// jsonKeys are the keys of ECMWF's indexes that ecCodes has as well, by the names it has for them.
var jsonKeys = map[string][]string{
	"date": {"date", "dataDate"}, "time": {"time", "dataTime"}, "step": {"step", "endStep"},
	"levelist": {"level"}, "levtype": {"levtype"}, "type": {"type"}, "stream": {"stream"}, "class": {"class"},
	"number": {"number"}, "param": {"shortName"},
}

// parseJSON reads a line of ECMWF's form. Keys whose values are no plain numbers where they should
// be are left out.
func parseJSON(line string) (Entry, error) {
	var raw map[string]any
	if err := json.Unmarshal([]byte(line), &raw); err != nil {
		return Entry{}, err
	}
	e := Entry{facts: make(map[string]string)}
	var err error
	if e.Offset, err = place(raw, "_offset"); err != nil {
		return e, err
	}
	if e.Length, err = place(raw, "_length"); err != nil {
		return e, err
	}
	if e.Length == 0 {
		return e, errors.New("_length is 0, expected the bytes of a message")
	}
	for key, names := range jsonKeys {
		text, ok := raw[key].(string)
		if !ok || text == "" {
			continue
		}
		switch key {
		case "date", "time", "step", "levelist", "number":
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				continue
			}
			if key == "time" && len(text) <= 2 {
				n *= 100
			}
			text = strconv.FormatInt(n, 10)
		}
		for _, name := range names {
			e.facts[name] = text
		}
	}
	if e.facts["levtype"] != "pl" {
		delete(e.facts, "level") // numbers of layers are counted in several ways
	}
	return e, nil
}

// place reads an offset or a length.
func place(raw map[string]any, key string) (int64, error) {
	n, ok := raw[key].(float64)
	if !ok || n < 0 || n > 1<<53 || n != float64(int64(n)) {
		return 0, fmt.Errorf("%s is %v, expected a number of bytes", key, raw[key])
	}
	return int64(n), nil
}

// facts are the values of keys. Texts that are integers are known as such.
type facts map[string]string

func (f facts) Text(key string) (string, bool) { v, ok := f[key]; return v, ok }

func (f facts) Int(key string) (int64, bool) {
	v, ok := f[key]
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(v, 10, 64)
	return n, err == nil
}

func (f facts) Real(key string) (float64, bool) {
	n, ok := f.Int(key)
	return float64(n), ok
}
