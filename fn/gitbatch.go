package fn

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// errNoFile is what a link in a revision leads to that is not a file of it.
var errNoFile = errors.New("a link to no file of the revision")

// gitFiles reads what objects hold, all with one run of git. A link is followed as the file
// system does, as long as it stays in the revision (git-cat-file(1), --follow-symlinks).
func gitFiles(objects []string) ([][]byte, error) {
	if len(objects) == 0 {
		return nil, nil
	}
	out, err := gitWith(strings.NewReader(strings.Join(objects, "\n")+"\n"), "cat-file", "--batch", "--follow-symlinks")
	if err != nil {
		return nil, err
	}
	all := make([][]byte, len(objects))
	in := bufio.NewReader(bytes.NewReader(out))
	for i, object := range objects {
		if all[i], err = nextFile(in); err != nil {
			return nil, fmt.Errorf("git:%s: %w", object, err)
		}
	}
	return all, nil
}

// gitFollow is the type and the name of an object. Links on the way to it are followed.
func gitFollow(at string) (kind, object string, err error) {
	followed, err := gitWith(strings.NewReader(at+"\n"), "cat-file", "--batch-check", "--follow-symlinks")
	if words := strings.Fields(string(followed)); err == nil && len(words) == 3 && (words[1] == "tree" || words[1] == "blob") {
		return words[1], words[0], nil
	}
	out, err := git("cat-file", "-t", at) // says what is wrong
	return strings.TrimSpace(string(out)), at, err
}

// nextFile reads one answer: a hash, the type, the size, and after a line break the content.
func nextFile(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadString('\n')
	if err != nil {
		return nil, err
	}
	words := strings.Fields(line)
	if len(words) != 3 || words[1] != "blob" {
		return nil, errNoFile
	}
	size, err := strconv.Atoi(words[2])
	if err != nil {
		return nil, err
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(in, data); err != nil {
		return nil, err
	}
	_, err = in.Discard(1)
	return data, err
}
