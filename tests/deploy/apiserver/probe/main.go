// Command probe asks HOST PORT as the kubelet does: by the kubelet's own code.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"k8s.io/kubernetes/pkg/probe/grpc"
)

func main() {
	port, err := strconv.Atoi(os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	result, message, err := grpc.New().Probe(os.Args[1], "", port, 2*time.Second, grpc.ProbeOptions{})
	fmt.Println(result, message, err)
}
