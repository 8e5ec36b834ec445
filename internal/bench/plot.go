package main

import (
	"bytes"
	"fmt"
	"math"
)

// The drawing, in pixels.
const (
	width, height = 640, 420
	left, bottom  = 60, 50
	right, top    = 110, 20
)

// colors of the curves, which can be told apart by those who see few of them.
var colors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"}

// A scale puts times of the smallest on an axis, each doubling as far from the last.
type scale struct{ most float64 }

func (s scale) x(times float64) float64 {
	return left + (width-left-right)*math.Log2(max(times, 1))/math.Log2(s.most)
}

func (s scale) y(times float64) float64 {
	return height - bottom - (height-top-bottom)*math.Log2(max(times, 1))/math.Log2(s.most)
}

// plot draws curves over the numbers of stacks, both in times of the first, as SVG. The broken
// line is what grows as its input does.
func plot(counts []int, curves []curve) []byte {
	s := scale{float64(counts[len(counts)-1]) / float64(counts[0])}
	for _, c := range curves {
		s.most = max(s.most, c.cpu[len(c.cpu)-1])
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(&out, `<title>How the processor time of each command grows with its input</title><rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	for times := 1.0; times <= s.most; times *= 2 {
		fmt.Fprintf(&out, `<path d="M%.0f %dV%d M%d %.0fH%d" stroke="#ddd"/>`, s.x(times), top, height-bottom, left, s.y(times), width-right)
		fmt.Fprintf(&out, `<text x="%.0f" y="%d" text-anchor="middle">%.0f</text><text x="%d" y="%.0f" text-anchor="end">%.0f</text>`+"\n",
			s.x(times), height-bottom+18, times, left-8, s.y(times)+4, times)
	}
	fmt.Fprintf(&out, `<text x="%d" y="%d" text-anchor="middle">objects, in times of the fewest</text>`+"\n", (left+width-right)/2, height-12)
	fmt.Fprintf(&out, `<text x="16" y="%d" text-anchor="middle" transform="rotate(-90 16 %[1]d)">processor time, in times of the least</text>`+"\n", (top+height-bottom)/2)
	fmt.Fprintf(&out, `<path d="M%.0f %.0fL%.0f %.0f" stroke="#999" stroke-dasharray="5 4"/>`+"\n", s.x(1), s.y(1), s.x(s.most), s.y(s.most))
	for i, c := range curves {
		s.draw(&out, counts, c, colors[i%len(colors)])
		fmt.Fprintf(&out, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", width-right+14, top+20+20*i, colors[i%len(colors)], c.name)
	}
	out.WriteString("</svg>\n")
	return out.Bytes()
}

func (s scale) draw(out *bytes.Buffer, counts []int, c curve, color string) {
	out.WriteString(`<polyline fill="none" stroke-width="2" stroke="` + color + `" points="`)
	for i, times := range c.cpu {
		fmt.Fprintf(out, "%.1f,%.1f ", s.x(float64(counts[i])/float64(counts[0])), s.y(times))
	}
	out.WriteString(`"/>` + "\n")
}
