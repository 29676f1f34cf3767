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
	if err := s.set(key, value); err != nil || e.Name != "type" {
		return err
	}
	return s.processed()
}

// processed sets the types of processed data and of the generating process by the type of MARS, as
// ecCodes does.
func (s *setter) processed() error {
	h, err := s.handle()
	if err != nil {
		return err
	}
	t, err := h.Int("marsType")
	if err != nil {
		return err
	}
	data, process := int64(missingCode), int64(missingCode)
	switch t {
	case 1, 3:
		data, process = 0, 1
	case 2, 4, 5, 6, 7, 8, 90:
		data, process = 0, 0
	case 9:
		data, process = 1, 2
	case 10:
		data, process = 3, 4
	case 11:
		data, process = 4, 4
	case 12, 13:
		process = 7
	case 14, 15:
		process = 4
	case 16, 30:
		data, process = 8, 5
	case 17, 18:
		return fmt.Errorf("type %d is of an ensemble as a whole: %w", t, ErrStructure)
	case 31:
		data, process = 1, 3
	case 65:
		data, process = 5, 4
	}
	return s.all("typeOfProcessedData", data, "typeOfGeneratingProcess", process)
}

// missingCode is the code "missing" of one octet.
const missingCode = 255

// ensembleStreams are streams for which ecCodes chooses a product definition template with a
// member.
var ensembleStreams = []string{"enda", "elda", "ewla", "enfo", "efov", "enfh", "enwh", "waef", "ewda", "ewho"}
