package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"path"
	"time"
)

// A file is what an archive holds.
type file struct {
	name string
	mode fs.FileMode
	data []byte
}

// epoch is the time of every file in an archive: the earliest that zip can say.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// tarball packs files without owner and clock, in GNU's format: dpkg refuses the headers in which the
// other one keeps long names, and BusyBox passes over them.
func tarball(files []file) ([]byte, error) {
	var out bytes.Buffer
	zw, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	tw := tar.NewWriter(zw)
	for _, f := range files {
		header := tar.Header{Name: f.name, Mode: int64(f.mode.Perm()), Size: int64(len(f.data)), ModTime: epoch, Format: tar.FormatGNU}
		if f.mode.IsDir() {
			header.Typeflag = tar.TypeDir
		}
		if err := tw.WriteHeader(&header); err != nil {
			return nil, err
		}
		if _, err := tw.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := tw.Close(); err != nil {
		return nil, err
	}
	if err := zw.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// zipball is tarball for Windows.
func zipball(files []file) ([]byte, error) {
	var out bytes.Buffer
	zw := zip.NewWriter(&out)
	for _, f := range files {
		header := zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: epoch}
		header.SetMode(f.mode)
		w, err := zw.CreateHeader(&header)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := zw.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// withDirectories are files with the directories that they are in, each before what is in it.
func withDirectories(files []file) (out []file) {
	seen := map[string]bool{}
	var add func(dir string)
	add = func(dir string) {
		if seen[dir] {
			return
		}
		seen[dir] = true
		if parent := path.Dir(dir); parent != dir {
			add(parent)
		}
		name := "./" + dir + "/"
		if dir == "." {
			name = "./"
		}
		out = append(out, file{name, fs.ModeDir | 0o755, nil})
	}
	for _, f := range files {
		add(path.Dir(path.Clean(f.name)))
		out = append(out, f)
	}
	return out
}
