package browser

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// outside lists texts that leave their card and lines that run through one, as the
// browser lays them out.
const outside = `(() => {
  const out = [];
  const svg = document.querySelector('svg');
  const boxes = [...document.querySelectorAll('.node')].map((n) => ({id: n.id, r: n.querySelector('.box').getBoundingClientRect()}));
  document.querySelectorAll('.node').forEach((n) => {
    const b = n.querySelector('.box').getBoundingClientRect();
    n.querySelectorAll('text').forEach((t) => {
      const r = t.getBoundingClientRect();
      if (r.left < b.left || r.right > b.right - 2 || r.top < b.top - 1 || r.bottom > b.bottom + 1) out.push('text ' + t.textContent);
    });
  });
  const page = svg.getBoundingClientRect();
  svg.querySelectorAll('text').forEach((t) => {
    const r = t.getBoundingClientRect();
    if (r.left < page.left || r.right > page.right || r.bottom > page.bottom) out.push('text off the sheet ' + t.textContent);
  });
  const m = svg.getScreenCTM();
  svg.querySelectorAll('g > path.edge').forEach((p) => {
    const length = p.getTotalLength();
    for (let at = 8; at < length - 8; at += 4) {
      const q = p.getPointAtLength(at).matrixTransform(m);
      boxes.forEach((b) => {
        if (q.x > b.r.left + 3 && q.x < b.r.right - 3 && q.y > b.r.top + 3 && q.y < b.r.bottom - 3) out.push('line ' + p.parentNode.id + ' through ' + b.id);
      });
    }
  });
  return [...new Set(out)];
})()`

// TestFits asks the browser whether text stays in its card and lines go around cards.
func TestFits(t *testing.T) {
	browser := Start(t)
	for name, input := range pictures {
		for _, args := range [][]string{{input}, {input, "--all"}} {
			t.Run(name+strings.Join(args[1:], ""), func(t *testing.T) {
				tab := Open(t, browser, draw(t, ".svg", args...))
				for _, line := range Eval[[]string](tab, outside) {
					t.Error(line)
				}
				tab.Quiet()
			})
		}
	}
}

// TestColours looks at a picture in light, in dark and as it is printed. A README shows it
// as an image, where nothing but its own style applies; for print it is opened itself,
// because the emulation of media does not reach images.
func TestColours(t *testing.T) {
	browser := Start(t)
	for name, input := range pictures {
		if name != "broken" && os.Getenv("SCREENSHOTS") == "" {
			continue // it has all there is to colour
		}
		t.Run(name, func(t *testing.T) {
			file := draw(t, ".svg", input)
			html := filepath.Join(filepath.Dir(file), "image.html")
			if err := os.WriteFile(html, []byte(`<!doctype html><title>x</title><body style="margin:0"><img src="picture.svg">`), 0o600); err != nil {
				t.Fatal(err)
			}
			image, alone := Open(t, browser, html), Open(t, browser, file)
			for _, look := range []struct {
				tab            *Tab
				medium, scheme string
				dark           bool
			}{{image, "screen", "light", false}, {image, "screen", "dark", true}, {alone, "print", "dark", false}} {
				shot := look.tab.Screenshot(look.medium, look.scheme)
				if light := brightness(t, shot); (light < 0.3) != look.dark || (light > 0.85) == look.dark {
					t.Errorf("%s and %s: brightness is %.2f", look.medium, look.scheme, light)
				}
				keep(t, strings.Join([]string{name, look.medium, look.scheme}, "-"), shot)
			}
			if os.Getenv("SCREENSHOTS") != "" {
				pages(t, browser, name, input)
			}
		})
	}
}

// pages keeps screenshots of a page at its third step.
func pages(t *testing.T, browser context.Context, name, input string) {
	tab := Open(t, browser, draw(t, ".html", input))
	tab.Click("#walk")
	tab.Script(`for (let i = 0; i < 2; i++) document.getElementById('next').click()`)
	for _, scheme := range []string{"light", "dark"} {
		keep(t, name+"-page-"+scheme, tab.Screenshot("screen", scheme))
	}
}

// keep stores a screenshot for a person to look at, in the folder $SCREENSHOTS.
func keep(t *testing.T, name string, image []byte) {
	t.Helper()
	if dir := os.Getenv("SCREENSHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".png"), image, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// brightness of the upper left of an image, from 0 to 1: there is some picture there in
// every one, whatever the window is.
func brightness(t *testing.T, data []byte) float64 {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	sum, count := 0.0, 0.0
	for y := 20; y < min(300, img.Bounds().Max.Y); y += 3 {
		for x := 20; x < min(800, img.Bounds().Max.X); x += 3 {
			r, g, b, _ := img.At(x, y).RGBA()
			sum += float64(r+g+b) / 3 / 0xffff
			count++
		}
	}
	return sum / count
}
