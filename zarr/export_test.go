package zarr

// For tests that need package serve.
type MapStore = mapStore

var CheckStore = checkStore
