// Package serving has the verbs serve and view, which show datasets over HTTP.
package serving
