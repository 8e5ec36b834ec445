// Package packed compresses the generated files that the program carries, and reads them.
package packed

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"sync"
)

// Pack compresses a file. The same data gives the same bytes.
func Pack(data []byte) ([]byte, error) {
	var out bytes.Buffer
	zw, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = zw.Write(data)
	err = errors.Join(err, zw.Close())
	return out.Bytes(), err
}

// Read returns a file that Pack has compressed, or an error of the file system.
func Read(files fs.FS, name string) ([]byte, error) {
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	zr := readers.Get().(*gzip.Reader)
	defer readers.Put(zr)
	if err := zr.Reset(file); err != nil {
		return nil, err
	}
	return io.ReadAll(zr)
}

// readers keep their windows, which take more memory than most files.
var readers = sync.Pool{New: func() any { return new(gzip.Reader) }}
