// Package loading gives an endpoint picker one configuration after the other, without starting it.
package loading

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

// Word is what a picker takes, instead of upstream's flags, to load configurations.
const Word = "load"

// Asked reports whether the program was started to load configurations.
func Asked() bool { return len(os.Args) == 2 && os.Args[1] == Word }

// Main reads configurations from standard input, each a text in JSON on a line, and writes the error that would end the
// picker, or nothing, on a line likewise.
func Main(setup func(ctx context.Context, text string) error) {
	if err := each(os.Stdin, os.Stdout, setup); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func each(in io.Reader, out io.Writer, setup func(context.Context, string) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<24)
	enc := json.NewEncoder(out)
	for lines.Scan() {
		var text string
		if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
			return err
		}
		problem := ""
		if err := try(setup, text); err != nil {
			problem = err.Error()
		}
		if err := enc.Encode(problem); err != nil {
			return err
		}
	}
	return lines.Err()
}

// patience is how long a plugin may wait for what is not there, such as a tokenizer's socket.
const patience = 100 * time.Millisecond

// try sets the picker up. What would end the process is an error here.
func try(setup func(context.Context, string) error, text string) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return setup(ctx, text)
}
