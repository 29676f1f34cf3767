package main

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"
)

// A respond is a way in which a server fails; real gives the right answer.
type respond func(m *machine, w http.ResponseWriter, r *http.Request, real http.Handler)

var serverFaults = func() (all []faultKind) {
	add := func(methods, name string, do respond) {
		for method := range strings.SplitSeq(methods, " ") {
			all = append(all, faultKind{of: method, name: name, do: do})
		}
	}
	const every = "GET HEAD PUT POST DELETE"
	for _, status := range []int{503, 500, 429, 502, 403, 404} {
		add(every, fmt.Sprint(status), func(_ *machine, w http.ResponseWriter, _ *http.Request, _ http.Handler) {
			if status == http.StatusTooManyRequests {
				w.Header().Set("Retry-After", "2")
			}
			http.Error(w, "<html>not now</html>", status)
		})
	}
	add(every, "reset", func(*machine, http.ResponseWriter, *http.Request, http.Handler) { panic(http.ErrAbortHandler) })
	add(every, "silent", func(_ *machine, _ http.ResponseWriter, r *http.Request, _ http.Handler) { <-r.Context().Done() })
	add(every, "late", func(_ *machine, w http.ResponseWriter, r *http.Request, real http.Handler) {
		time.Sleep(20 * time.Second)
		real.ServeHTTP(w, r)
	})
	add("GET PUT POST", "cut", func(_ *machine, w http.ResponseWriter, r *http.Request, real http.Handler) {
		a := answerOf(real, r)
		a.send(w, len(a.body)/2)
		panic(http.ErrAbortHandler)
	})
	add("GET", "stalled", func(_ *machine, w http.ResponseWriter, r *http.Request, real http.Handler) {
		a := answerOf(real, r)
		a.send(w, len(a.body)/2)
		<-r.Context().Done()
	})
	add("GET", "slow", func(_ *machine, w http.ResponseWriter, r *http.Request, real http.Handler) {
		a := answerOf(real, r)
		a.send(w, 0)
		for len(a.body) > 0 {
			time.Sleep(5 * time.Second)
			n := min(len(a.body), 1+len(a.body)/4)
			if _, err := w.Write(a.body[:n]); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			a.body = a.body[n:]
		}
	})
	// Answers of other requests.
	add("GET", "another range", func(_ *machine, w http.ResponseWriter, r *http.Request, real http.Handler) {
		var first, last int
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &first, &last); err == nil {
			r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", first+1, last+1))
		}
		real.ServeHTTP(w, r)
	})
	add("GET", "short range", func(_ *machine, w http.ResponseWriter, r *http.Request, real http.Handler) {
		var first, last int
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &first, &last); err == nil {
			r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", first, first+(last-first)/2))
		}
		real.ServeHTTP(w, r)
	})
	add("GET", "no range", func(_ *machine, w http.ResponseWriter, r *http.Request, real http.Handler) {
		r.Header.Del("Range")
		real.ServeHTTP(w, r)
	})
	add("GET", "another size", func(_ *machine, w http.ResponseWriter, r *http.Request, real http.Handler) {
		a := answerOf(real, r)
		if bounds, _, ok := strings.Cut(a.header.Get("Content-Range"), "/"); ok {
			a.header.Set("Content-Range", bounds+"/999999")
		}
		a.send(w, len(a.body))
	})
	add("GET", "replaced", func(m *machine, w http.ResponseWriter, r *http.Request, real http.Handler) {
		m.replace()
		real.ServeHTTP(w, r)
	})
	add("GET", "replaced, conditions ignored", func(m *machine, w http.ResponseWriter, r *http.Request, real http.Handler) {
		m.replace()
		r.Header.Del("If-Match")
		real.ServeHTTP(w, r)
	})
	add("GET", "login page", func(_ *machine, w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<html><body>Please log in to use this network.</body></html>")
	})
	// Writes of which the answer is lost, that are made twice, or that another was faster with.
	add("PUT POST DELETE", "answer lost", func(_ *machine, _ http.ResponseWriter, r *http.Request, real http.Handler) {
		answerOf(real, r)
		panic(http.ErrAbortHandler)
	})
	add("PUT POST DELETE", "done, then 500", func(_ *machine, w http.ResponseWriter, r *http.Request, real http.Handler) {
		answerOf(real, r)
		http.Error(w, "", http.StatusInternalServerError)
	})
	add("PUT POST", "precondition failed", func(_ *machine, w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.WriteHeader(http.StatusPreconditionFailed)
	})
	add("PUT POST", "conflict", func(_ *machine, w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.WriteHeader(http.StatusConflict)
	})
	add("POST", "error inside", func(_ *machine, w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		fmt.Fprint(w, "<Error><Code>InternalError</Code><Message>We encountered an internal error.</Message></Error>")
	})
	return all
}()

// A reply is the right answer of a server.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func answerOf(real http.Handler, r *http.Request) *reply {
	rec := httptest.NewRecorder()
	real.ServeHTTP(rec, r)
	return &reply{rec.Code, rec.Header(), rec.Body.Bytes()}
}

// send sends the head of an answer, and the first n bytes of its body.
func (a *reply) send(w http.ResponseWriter, n int) {
	maps.Copy(w.Header(), a.header)
	w.Header().Set("Content-Length", fmt.Sprint(len(a.body)))
	w.WriteHeader(a.status)
	if n > 0 {
		w.Write(a.body[:n])
	}
	w.(http.Flusher).Flush()
}
