package fields

import (
	"slices"
	"strings"
)

// headNamespaces are the namespaces of which all keys are in the heads of messages.
var headNamespaces = []string{"ls", "mars", "time", "vertical", "parameter"}

// NamespaceInHead reports whether the keys of a namespace are the same in a field of which only the
// head was read. See [Scanner].Heads.
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

// HeadSuffices reports whether it is known that keys are the same in a field of which only the head
// was read. See [Scanner].Heads.
func HeadSuffices(keys ...Key) bool {
	return !slices.ContainsFunc(keys, func(k Key) bool {
		space, name, ok := strings.Cut(k.Name, ".")
		return !(ok && NamespaceInHead(space) && !strings.Contains(name, ".")) && !slices.Contains(headKeys, k.Name)
	})
}
