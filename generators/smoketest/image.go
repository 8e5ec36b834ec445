package smoketest

import "strings"

// image is a square of 64 by 64 pixels, which every vision encoder takes.
const image = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsItiVKMZzQi+hcEKLNXzWgQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQELgtKuwFL1RdEugAAAABJRU5ErkJggg=="

// encoded is the step that tells whether an encode server had a part in the answer.
const encoded = `# encoded tells whether an encode server has worked.
encoded() {
  for _ in 1 2 3 4 5; do
    [ "$(served "$ENCODE")" -gt "$encoded_before" ] && return 0
    sleep "$INTERVAL"
  done
  fault encode "the answer came, and no encode server had a part in it"
}

`

// withImage has the script send an image, and see that an encode server has taken it.
func withImage(script string) string {
	return strings.NewReplacer(
		`PREFILL, DECODE, PORTS `, `PREFILL, DECODE, ENCODE, PORTS `,
		`\"content\": \"%s"`, `\"content\": [{\"type\": \"image_url\", \"image_url\": {\"url\": \"`+image+`\"}}, {\"type\": \"text\", \"text\": \"%s"`,
		`printf "\"}]}"`, `printf "\"}]}]}"`,
		"# attempt sends one request", encoded+"# attempt sends one request with an image",
		`: >"$work/body"`, `: >"$work/body"`+"\n  encoded_before=$(served \"$ENCODE\")",
		"answered && shared", "answered && shared && encoded",
		"answer | prefill | decode)", "answer | prefill | decode | encode)",
	).Replace(script)
}
