// Package browser opens the pages of inferstack graph in headless Chromium.
package browser

import (
	"context"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A Tab is an open page and what it did that it should not.
type Tab struct {
	ctx context.Context
	t   testing.TB

	mu       sync.Mutex
	requests []string
	trouble  []string
}

// Start starts a browser for a test.
func Start(t testing.TB) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.WindowSize(1440, 900), chromedp.WSURLReadTimeout(2*time.Minute))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start chromium (Debian package chromium): %v", err)
	}
	return ctx
}

// Open opens a file in a tab of its own.
func Open(t testing.TB, browser context.Context, file string) *Tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	tab := &Tab{ctx: ctx, t: t}
	if err := chromedp.Listen(ctx, tab.event); err != nil {
		t.Fatal(err)
	}
	tab.Do(chromedp.Navigate((&url.URL{Scheme: "file", Path: file}).String()))
	return tab
}

func (tab *Tab) event(event any) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		tab.requests = append(tab.requests, e.Request.URL)
	case *runtime.EventExceptionThrown:
		tab.trouble = append(tab.trouble, e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		tab.trouble = append(tab.trouble, "console."+string(e.Type))
	case *log.EventEntryAdded:
		tab.trouble = append(tab.trouble, e.Entry.Text)
	case *page.EventJavascriptDialogOpening:
		tab.trouble = append(tab.trouble, "dialog: "+e.Message)
	}
}

// Quiet fails the test when the page asked for anything but itself, or complained.
func (tab *Tab) Quiet() {
	tab.t.Helper()
	tab.mu.Lock()
	defer tab.mu.Unlock()
	if len(tab.requests) != 1 {
		tab.t.Errorf("the page loads %q", tab.requests)
	}
	for _, line := range tab.trouble {
		tab.t.Error("the page says:", line)
	}
}

// Do runs actions.
func (tab *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		tab.t.Fatal(err)
	}
}

// Run runs an action with a result.
func Run[T any](tab *Tab, action chromedp.Action[T]) T {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, time.Minute)
	defer cancel()
	out, err := chromedp.Run(ctx, action)
	if err != nil {
		tab.t.Fatal(err)
	}
	return out
}

// Eval is what an expression comes to.
func Eval[T any](tab *Tab, expression string) T {
	tab.t.Helper()
	return Run(tab, chromedp.Evaluate[T](expression))
}

// Script runs statements.
func (tab *Tab) Script(statements string) {
	tab.t.Helper()
	tab.Do(chromedp.Evaluate[chromedp.Void](statements))
}

// Click clicks what a CSS selector finds.
func (tab *Tab) Click(selector string) {
	tab.t.Helper()
	tab.Do(chromedp.Click(chromedp.CSS(selector)))
}

// Screenshot of the page under a colour scheme or medium.
func (tab *Tab) Screenshot(medium, scheme string) []byte {
	tab.t.Helper()
	params := emulation.SetEmulatedMediaParams{Media: medium, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	if _, err := chromedp.Call(tab.ctx, emulation.SetEmulatedMedia, params); err != nil {
		tab.t.Fatal(err)
	}
	return Run(tab, chromedp.FullScreenshot(100))
}
