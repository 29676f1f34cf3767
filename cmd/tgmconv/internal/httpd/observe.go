package httpd

import (
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// A recorder counts the bytes sent.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(p)
	r.bytes += int64(n)
	return n, err
}

// Unwrap gives http.ResponseController the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// withLog writes a record for each request.
func withLog(h http.Handler, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		seen := &recorder{ResponseWriter: w}
		h.ServeHTTP(seen, r)
		log.Info("request",
			"remote", r.RemoteAddr, "method", r.Method, "path", r.URL.Path, "range", r.Header.Get("Range"),
			"status", seen.status, "bytes", seen.bytes, "duration", time.Since(began))
	})
}

// withMetrics counts requests, and serves the counts at /metrics.
func withMetrics(h http.Handler) http.Handler {
	registry := prometheus.NewRegistry()
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "tgmconv_http_requests_total", Help: "Requests answered, by method and status.",
	}, []string{"method", "status"})
	sent := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "tgmconv_http_sent_bytes_total", Help: "Bytes of bodies sent.",
	})
	underWay := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "tgmconv_http_requests_under_way", Help: "Requests being answered.",
	})
	duration := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "tgmconv_http_request_seconds", Help: "Time from a request to the end of its answer.",
		Buckets: prometheus.ExponentialBuckets(0.0005, 4, 9),
	})
	registry.MustRegister(requests, sent, underWay, duration,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	metrics := promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/metrics" {
			metrics.ServeHTTP(w, r)
			return
		}
		began := time.Now()
		underWay.Inc()
		defer underWay.Dec()
		seen := &recorder{ResponseWriter: w}
		h.ServeHTTP(seen, r)
		requests.WithLabelValues(methodLabel(r.Method), strconv.Itoa(seen.status)).Inc()
		sent.Add(float64(seen.bytes))
		duration.Observe(time.Since(began).Seconds())
	})
}

// methodLabel bounds the number of labels that clients can make.
func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, "PROPFIND":
		return method
	}
	return "other"
}
