// Package serve shows Tensogram, GRIB, netCDF, Zarr and .tet files to Zarr v3 clients.
//
// Most callers want two lines: [OpenMessages] makes a read-only [zarr.Store] of a .tgm file, and
// [NewHandler] serves a store over HTTP to xarray, zarr-python, zarrita and every other client of
// Zarr v3. A [DatasetView] shows a labelled dataset of files of any format. Package serve/site puts all
// views of files that may change below one address.
//
// # The view of a client
//
// A [View] lays the objects of a file out as a hierarchy of groups and arrays; [NewStore] turns any
// View into a Store by writing its metadata documents and opening its chunks. The message
// view, [MessageView], leaves nothing out: a message is a group, an object is an array of one
// chunk.
//
//	one message        several messages
//	zarr.json          zarr.json           group, consolidated metadata of everything below it
//	2t/zarr.json       0/zarr.json         group: message 0, consolidated metadata of its arrays
//	2t/c/0/0           0/2t/zarr.json      array: an object of message 0
//	                   0/2t/c/0/0          its only chunk
//	                   1/zarr.json
//
// Metadata is made from the message's metadata and descriptors alone; payloads are touched when a chunk
// is asked for. A payload in the form that a Zarr codec writes is served as it is stored, anything else
// is decoded and served as little-endian elements. The contents of the documents, and how names,
// dimensions, data types and fill values are found, are described at [MessageView].
package serve
