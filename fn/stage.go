package fn

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// stage is the directory, in the one that is written, where new files are made ready and
// old ones are kept until all is done. It is there only while a run is at work.
const (
	stage = ".inferstack-stage"
	old   = "old-"
)

var (
	errBusy      = errors.New("another run is writing there")
	errNotUndone = errors.New("what was moved could not be moved back: look in " + stage)
)

// enterStage makes the stage, for one run at a time, and says how to leave it. A stage that
// nobody holds is of a run that was killed: what it had moved away is put back.
func enterStage(root *os.Root) (leave func(why error) error, err error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, plain(err)
	}
	held, err := lock(dir)
	if err == nil && held {
		err = recoverStage(root)
	}
	if err == nil {
		err = plain(root.Mkdir(stage, 0o700))
	}
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%w; if that run was killed, remove %s", errBusy, stage)
	}
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return func(why error) error {
		if !errors.Is(why, errNotUndone) {
			why = errors.Join(why, root.RemoveAll(stage))
		}
		return errors.Join(why, dir.Close())
	}, nil
}

// recoverStage undoes what a killed run had begun, as far as files are missing.
func recoverStage(root *os.Root) error {
	entries, err := fs.ReadDir(root.FS(), stage)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return plain(err)
	}
	for _, e := range entries {
		name, moved := strings.CutPrefix(e.Name(), old)
		if _, err := root.Lstat(name); !moved || !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := root.Rename(filepath.Join(stage, e.Name()), name); err != nil {
			return err
		}
	}
	return root.RemoveAll(stage)
}

// A transaction is a row of renames that is undone when one of them fails.
type transaction struct {
	rename func(from, to string) error
	stage  string
	undo   [][2]string
	err    error
}

// replace moves a staged file to its place, and what was there to the stage.
func (tx *transaction) replace(root *os.Root, name string) {
	if _, err := root.Lstat(name); err == nil {
		tx.move(name, filepath.Join(tx.stage, old+name))
	}
	tx.move(filepath.Join(tx.stage, name), name)
}

func (tx *transaction) move(from, to string) {
	if tx.err != nil {
		return
	}
	if tx.err = tx.rename(from, to); tx.err == nil {
		tx.undo = append(tx.undo, [2]string{to, from})
	}
}

// finish undoes everything if something went wrong.
func (tx *transaction) finish() error {
	if tx.err == nil {
		return nil
	}
	err := tx.err
	for _, move := range slices.Backward(tx.undo) {
		if wrong := tx.rename(move[0], move[1]); wrong != nil {
			err = errors.Join(err, wrong, errNotUndone)
		}
	}
	return err
}
