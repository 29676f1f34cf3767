// Command files compares `tgmconv serve` with nginx, which serves the same bytes as files: every
// chunk of an array of a netCDF file, as it lies in the file.
//
//	go run ./bench/zarr/files TGMCONV FILE.nc ARRAY
//
// It prints the time by the clock and the processor time of the servers for each request, medians
// of five runs in turn, with four connections.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	connections = 4
	runs        = 5
	perRun      = 12000 // requests
	nginxPort   = "18099"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("usage: files TGMCONV FILE.nc ARRAY")
	}
	if err := compare(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

func compare(tgmconv, file, array string) error {
	folder, err := os.MkdirTemp("", "files")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	serve := exec.Command(tgmconv, "serve", "--addr", "127.0.0.1:0", file)
	out, err := serve.StdoutPipe()
	if err != nil {
		return err
	}
	if err := serve.Start(); err != nil {
		return err
	}
	defer stop(serve)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return err
	}
	address := regexp.MustCompile(`http://(\S+)`).FindStringSubmatch(line)[1]
	keys, bytes, err := copyChunks("http://"+address, array, folder)
	if err != nil {
		return err
	}
	nginx, err := startNginx(folder)
	if err != nil {
		return err
	}
	defer stop(nginx)
	fmt.Printf("%d chunks of %d bytes\n", len(keys), bytes/int64(len(keys)))
	servers := map[string]*server{
		"tgmconv": {address: address, process: serve.Process.Pid},
		"nginx":   {address: "127.0.0.1:" + nginxPort, process: nginx.Process.Pid},
	}
	for range runs {
		for name, s := range servers {
			if err := s.run(keys); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	ours, theirs := servers["tgmconv"].medians(), servers["nginx"].medians()
	fmt.Printf("tgmconv %.1f µs of the clock, %.1f µs of processor time a request\n", ours[0], ours[1])
	fmt.Printf("nginx   %.1f µs, %.1f µs; ratios of speed %.2f, %.2f\n", theirs[0], theirs[1], theirs[0]/ours[0], theirs[1]/ours[1])
	return nil
}

func stop(c *exec.Cmd) {
	_ = c.Process.Kill() // it may have ended
	_ = c.Wait()
}

// copyChunks writes the chunks of an array to files of their names.
func copyChunks(base, array, folder string) (keys []string, bytes int64, err error) {
	var document struct {
		Shape []int
		Grid  struct {
			Configuration struct {
				Shape []int `json:"chunk_shape"`
			}
		} `json:"chunk_grid"`
	}
	text, err := get(base + "/" + array + "/zarr.json")
	if err != nil {
		return nil, 0, err
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, 0, err
	}
	keys = []string{array + "/c"}
	for i, n := range document.Shape {
		var longer []string
		for _, key := range keys {
			for k := range (n + document.Grid.Configuration.Shape[i] - 1) / document.Grid.Configuration.Shape[i] {
				longer = append(longer, key+"/"+strconv.Itoa(k))
			}
		}
		keys = longer
	}
	for _, key := range keys {
		data, err := get(base + "/" + key)
		if err != nil {
			return nil, 0, err
		}
		name := filepath.Join(folder, filepath.FromSlash(key))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return nil, 0, err
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return nil, 0, err
		}
		bytes += int64(len(data))
	}
	return keys, bytes, nil
}

func get(url string) ([]byte, error) {
	r, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", url, r.Status)
	}
	return io.ReadAll(r.Body)
}

// startNginx starts one process, as it needs no second one for this load.
func startNginx(folder string) (*exec.Cmd, error) {
	conf := filepath.Join(folder, "nginx.conf")
	text := fmt.Sprintf(`daemon off; master_process off; pid %[1]s/pid; error_log %[1]s/error.log;
events {}
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
client_body_temp_path %[1]s; proxy_temp_path %[1]s; fastcgi_temp_path %[1]s; uwsgi_temp_path %[1]s; scgi_temp_path %[1]s;
server { listen 127.0.0.1:%[2]s; root %[1]s; } }`, folder, nginxPort)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		return nil, err
	}
	if err := os.Chmod(folder, 0o755); err != nil {
		return nil, err
	}
	c := exec.Command("nginx", "-c", conf)
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		return nil, err
	}
	for range 100 {
		if connection, err := net.Dial("tcp", "127.0.0.1:"+nginxPort); err == nil {
			return c, connection.Close()
		}
		time.Sleep(20 * time.Millisecond)
	}
	stop(c)
	return nil, fmt.Errorf("nginx does not listen")
}

// A server is measured.
type server struct {
	address string
	process int
	taken   [][2]float64 // µs of the clock, and of processor time, for a request
}

func (s *server) run(keys []string) error {
	before, began := cpu(s.process), time.Now()
	var all sync.WaitGroup
	errs := make(chan error, connections)
	for n := range connections {
		all.Go(func() { errs <- read(s.address, keys, n) })
	}
	all.Wait()
	for range connections {
		if err := <-errs; err != nil {
			return err
		}
	}
	s.taken = append(s.taken, [2]float64{float64(time.Since(began).Microseconds()) / perRun, (cpu(s.process) - before) * 1e6 / perRun})
	return nil
}

// read asks for chunks with one connection, one after the other.
func read(address string, keys []string, n int) error {
	connection, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer connection.Close()
	in := bufio.NewReaderSize(connection, 64<<10)
	for i := range perRun / connections {
		key := keys[(i*connections+n)%len(keys)]
		if _, err := io.WriteString(connection, "GET /"+key+" HTTP/1.1\r\nHost: "+address+"\r\nAccept: */*\r\n\r\n"); err != nil {
			return err
		}
		length := 0
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return err
			}
			if line == "\r\n" {
				break
			}
			if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
					return err
				}
			}
		}
		if _, err := in.Discard(length); err != nil {
			return err
		}
	}
	return nil
}

// cpu is the processor time of a process in seconds.
func cpu(process int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		log.Fatal(err)
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+2:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return float64(user+system) / 100
}

func (s *server) medians() (m [2]float64) {
	for i := range m {
		var column []float64
		for _, t := range s.taken {
			column = append(column, t[i])
		}
		slices.Sort(column)
		m[i] = column[len(column)/2]
	}
	return m
}
