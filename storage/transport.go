package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	attempts        = 4 // for each request, when the server or the network fails in a way that may pass
	firstPause      = 200 * time.Millisecond
	longestPause    = time.Minute      // that a server may ask for
	defaultPatience = 30 * time.Second // for an answer to begin, and for more of it to come
	stalls          = 3                // times that a body may stall, each for a part of the patience, before it is given up
)

// steady is an http.RoundTripper that gives silent servers up and asks again when a failure may
// pass. Such failures are errors of the network, and status 429 and 5xx. Requests with a body
// are sent once; their callers know how to repeat them.
type steady struct {
	base     http.RoundTripper
	patience time.Duration
}

// RoundTrip implements http.RoundTripper.
func (s *steady) RoundTrip(req *http.Request) (*http.Response, error) {
	for attempt := 1; ; attempt++ {
		resp, err := s.once(req)
		again := err != nil && passing(err) || err == nil && busy(resp.StatusCode)
		if !again || attempt == attempts || req.Context().Err() != nil || req.Body != nil && req.Body != http.NoBody {
			return resp, err
		}
		wait := firstPause << (attempt - 1)
		if err == nil {
			if asked := retryAfter(resp.Header.Get("Retry-After")); asked > longestPause {
				return resp, nil
			} else if asked > wait {
				wait = asked
			}
			_, _ = io.CopyN(io.Discard, resp.Body, 4<<10) // so that the connection can be used again
			resp.Body.Close()
		}
		if err := pause(req.Context(), wait); err != nil {
			return nil, err
		}
	}
}

// busy reports whether a later request may get another status.
func busy(status int) bool {
	return status >= 500 && status != http.StatusNotImplemented || status == http.StatusTooManyRequests
}

// passing reports whether an error of the network may pass. A server that is silent was waited for
// long enough.
func passing(err error) bool {
	var timeout interface{ Timeout() bool }
	return !errors.As(err, new(*SilenceError)) && !(errors.As(err, &timeout) && timeout.Timeout())
}

// retryAfter is how long a server asks to wait: seconds or a date (RFC 9110, section 10.2.3).
func retryAfter(header string) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, 1<<20)) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return time.Until(at)
	}
	return 0
}

// pause waits, unless ctx ends before.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// once sends a request. Sending, and reading the answer's body, end when the server is silent for
// too long.
func (s *steady) once(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	body := &patientBody{ctx: ctx, cancel: cancel, patience: s.patience / stalls}
	patience := s.patience
	if req.Body != nil && req.Body != http.NoBody {
		patience *= 10 // sending takes time
	}
	answer := time.AfterFunc(patience, func() { cancel(&SilenceError{patience}) })
	body.timer = time.AfterFunc(time.Hour, func() { cancel(&SilenceError{body.patience}) })
	body.timer.Stop()
	resp, err := s.base.RoundTrip(req.WithContext(ctx))
	answer.Stop()
	if err != nil {
		err = cause(ctx, err)
		cancel(nil)
		return nil, err
	}
	body.ReadCloser = resp.Body
	resp.Body = body
	return resp, nil
}

// patientBody is the body of an answer that is given up when nothing comes for long.
type patientBody struct {
	io.ReadCloser
	ctx      context.Context
	cancel   context.CancelCauseFunc
	timer    *time.Timer
	patience time.Duration
}

func (b *patientBody) Read(p []byte) (int, error) {
	b.timer.Reset(b.patience) // has been stopped
	n, err := b.ReadCloser.Read(p)
	b.timer.Stop() // the caller's work meanwhile may take its time
	if err != nil && err != io.EOF {
		err = cause(b.ctx, err)
	}
	return n, err
}

func (b *patientBody) Close() error {
	b.timer.Stop()
	err := b.ReadCloser.Close()
	b.cancel(nil)
	return err
}

// cause is why a request ended: the user ended ctx, or the server was silent. It drops the address
// from errors of the network, which the caller adds.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var ue *url.Error
	if errors.As(err, &ue) {
		return ue.Err
	}
	return err
}

// A SilenceError reports a server that sent nothing for a time during a request.
type SilenceError struct{ Lasted time.Duration }

func (e *SilenceError) Error() string {
	return fmt.Sprintf("the server has sent nothing for %v", e.Lasted)
}
