# Static binary on an image without shell or package manager, as a KRM function (kustomize,
# kpt) and on the command line. Target argocd is for Argo CD's sidecar (uid 999): its
# plugin.yaml has scripts, which need a shell.
FROM --platform=$BUILDPLATFORM docker.io/library/golang:1.26.10 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG TARGETOS TARGETARCH VERSION=dev
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -ldflags "-s -w -X github.com/inferstack/inferstack/fn.version=$VERSION" -o /out/ ./cmd/...
RUN go run ./internal/dist -licences /licences -platforms $TARGETOS/$TARGETARCH

FROM docker.io/library/busybox:1.37.0 AS argocd
COPY --from=build /out/ /usr/local/bin/
COPY --from=build /licences/ /usr/share/doc/inferstack/
LABEL org.opencontainers.image.source=https://github.com/inferstack/inferstack org.opencontainers.image.licenses=Apache-2.0
USER 999:999
ENTRYPOINT ["/usr/local/bin/inferstack"]

FROM gcr.io/distroless/static-debian12:nonroot AS function
COPY --from=build /out/ /usr/local/bin/
COPY --from=build /licences/ /usr/share/doc/inferstack/
LABEL org.opencontainers.image.source=https://github.com/inferstack/inferstack org.opencontainers.image.licenses=Apache-2.0
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/inferstack"]
