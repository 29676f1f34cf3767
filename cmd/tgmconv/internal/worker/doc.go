// Package worker gives labelled datasets to the program that started the process, over its standard
// input and output.
//
// A request is a line of JSON, an answer is one too, with the same id. Answers come in any order:
// several requests are worked on at a time.
//
//	{"id": 1, "open": ["--names=short", "forecast.grib2"]}
//	{"id": 1, "dataset": 1, "documents": {"": …, "t": …}, "notes": []}
//	{"id": 2, "read": {"dataset": 1, "array": "t", "start": [0, 0], "count": [721, 1440], "into": "/proc/71/fd/5"}}
//	{"id": 2, "bytes": 8305920}
//	{"id": 3, "get": {"dataset": 1, "key": "t/c/0/0", "into": "/proc/71/fd/6"}}
//	{"id": 3, "bytes": 8305920}
//	{"id": 4, "close": 1}
//	{"id": 4}
//	{"id": 5, "open": ["none.grib2"]}
//	{"id": 5, "error": "none.grib2: no such file or directory", "code": 1}
//
// Documents are the Zarr documents of all groups and arrays by their paths. Elements are written to a
// file that the other program has made and will map: a memory file of Linux by its name in /proc, else a
// file in a temporary folder. They are little-endian, in C order, of the type of the document; texts of a
// fixed number of bytes have these as their last dimension. The process ends when its standard input does.
package worker
