package fields

import (
	"io"
	"slices"
	"strings"

	"github.com/tgmconv/tgmconv/grib"
)

// headNamespaces are the namespaces whose keys are all in the heads of messages.
var headNamespaces = []string{"ls", "mars", "time", "vertical", "parameter"}

// NamespaceInHead reports whether the keys of a namespace are the same with only the head of a
// field. See [Scanner].Heads.
func NamespaceInHead(name string) bool { return slices.Contains(headNamespaces, name) }

// headKeys are keys that are in the heads of messages. There are more.
var headKeys = strings.Fields(`
count offset edition editionNumber discipline centre subCentre class type stream expver
shortName name cfName cfVarName units param paramId parameterCategory parameterNumber parameterName
dataDate dataTime date time year month day hour minute second validityDate validityTime
step stepRange stepType stepUnits startStep endStep forecastTime dataType levtype levelist
level typeOfLevel topLevel bottomLevel number perturbationNumber numberOfForecastsInEnsemble
totalNumber domain gridType grid gridName Ni Nj Nx Ny N scanningMode shapeOfTheEarth
latitudeOfFirstGridPointInDegrees longitudeOfFirstGridPointInDegrees
latitudeOfLastGridPointInDegrees longitudeOfLastGridPointInDegrees
iDirectionIncrementInDegrees jDirectionIncrementInDegrees packingType
productDefinitionTemplateNumber gridDefinitionTemplateNumber dataRepresentationTemplateNumber`)

// HeadSuffices reports whether keys are known to be the same with only the head of a field. See
// [Scanner].Heads.
func HeadSuffices(keys ...Key) bool {
	return !slices.ContainsFunc(keys, func(k Key) bool {
		space, name, ok := strings.Cut(k.Name, ".")
		return !(ok && NamespaceInHead(space) && !strings.Contains(name, ".")) && !slices.Contains(headKeys, k.Name)
	})
}

// worthHead is the length of a message above which its head is faster than the whole from a server: two
// requests.
const worthHead = 128 << 10

// HeadsOf returns a scanner that reads only the heads of messages, through r, see [Scanner].Heads. It returns
// s unless the first message of the input is so long that this is quicker on the network.
func (s Scanner) HeadsOf(r io.ReaderAt) Scanner {
	if first, err := grib.NewScanner(r, s.Size).Next(); err == nil && first.Length >= worthHead {
		s.Reader, s.Heads = r, true
	}
	return s
}

// Namespaces are the namespaces of keys that can be listed.
func Namespaces() []string {
	return []string{"ls", "mars", "geography", "time", "vertical", "parameter", "statistics"}
}
