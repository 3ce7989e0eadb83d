// Tells what Go makes of request lines and bodies: the first column of the tables that it reads on
// standard input, line by line, is the case, the columns after it are its answers.
//
//	go mod tidy && go build -o answers .
//	./answers route < go-routes.tsv    (method and target: code, then handler's values or Location)
//	./answers body < go-bodies.tsv     (a body's bytes as a JSON string: code, then the echo)
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type metric struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type trainerStatus struct {
	ProgressPercentage        *int32      `json:"progressPercentage,omitempty"`
	EstimatedRemainingSeconds *int32      `json:"estimatedRemainingSeconds,omitempty"`
	Metrics                   []metric    `json:"metrics,omitempty"`
	LastUpdatedTime           metav1.Time `json:"lastUpdatedTime"`
}

type request struct {
	TrainerStatus *trainerStatus `json:"trainerStatus,omitempty"`
}

func main() {
	answer := map[string]func(string) (int, string){"route": newRouter(), "body": decode}[os.Args[1]]
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			fmt.Println(line)
			continue
		}
		given, _, _ := strings.Cut(line, "\t")
		code, text := answer(given)
		fmt.Printf("%s\t%d\t%s\n", given, code, text)
	}
}

func newRouter() func(string) (int, string) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /apis/trainer.kubeflow.org/v1alpha1/namespaces/{namespace}/trainjobs/{name}/status",
		func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, "%s %s", r.PathValue("namespace"), r.PathValue("name"))
		})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(404) })
	server := httptest.NewServer(mux)
	return func(line string) (int, string) {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", line)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			panic(err)
		}
		if location := response.Header.Get("Location"); location != "" {
			return response.StatusCode, location
		}
		body, _ := io.ReadAll(response.Body)
		return response.StatusCode, string(body)
	}
}

func decode(text string) (int, string) {
	var latin1 string
	if err := json.Unmarshal([]byte(text), &latin1); err != nil {
		panic(text)
	}
	var body []byte
	for _, r := range latin1 {
		body = append(body, byte(r))
	}
	var decoded request
	if err := json.NewDecoder(strings.NewReader(string(body))).Decode(&decoded); err != nil {
		return 422, ""
	}
	echo, err := json.Marshal(decoded)
	if err != nil {
		panic(err)
	}
	return 200, string(echo)
}
