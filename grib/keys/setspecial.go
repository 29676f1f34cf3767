package keys

import (
	"fmt"
	"slices"
)

// A special sets a computed key.
type special func(s *setter, h *Handle, e *Entry, value string) error

// specialSetters are computed keys by the class that reads them.
func specialSetters() map[string]special {
	return map[string]special{
		"g2date": setDate, "g1date": setDate, "time": setTime,
		"g2end_step": setEndStep, "g1step_range": setStepRange1, "g2step_range": setStepRange,
		"step_in_units":    setStartStep,
		"g2level":          setLevel,
		"g2_mars_labeling": setLabel,
	}
}

// specialNames are computed keys whose class reads others as well.
func specialNames() map[string]special {
	return map[string]special{
		"step": setStepRange1, "endStep": setStepRange1, "startStep": setStart1, "topLevel": setLevel, "bottomLevel": setBottom, "level": setLevel, "levelist": setLevel,
	}
}

// all sets several keys to integers.
func (s *setter) all(values ...any) error {
	for i := 0; i < len(values); i += 2 {
		if err := s.set(values[i].(string), fmt.Sprint(values[i+1])); err != nil {
			return err
		}
	}
	return nil
}

// setLabel sets class, type and stream of MARS, which ECMWF keeps in a local section.
func setLabel(s *setter, h *Handle, e *Entry, value string) error {
	key := map[string]string{"class": "marsClass", "type": "marsType", "stream": "marsStream"}[e.Name]
	switch _, member := h.Entry("perturbationNumber"); {
	case key == "":
		return ErrNoSetting
	case e.Name == "stream" && !member && slices.Contains(ensembleStreams, value):
		return fmt.Errorf("stream %s is of an ensemble, and the message of no member: %w", value, ErrStructure)
	}
	return s.set(key, value)
}

// ensembleStreams are streams for which ecCodes chooses a product definition template with a member.
var ensembleStreams = []string{"enda", "elda", "ewla", "enfo", "efov", "enfh", "enwh", "waef", "ewda", "ewho"}
