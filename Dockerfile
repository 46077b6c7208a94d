# Holds the static binaries and a folder for temporary files, which large shares
# are unpacked to: docker run --rm -v "$PWD:/src" -w /src ghcr.io/brennerlint/brennerlint .
FROM golang:1.26-alpine AS build
WORKDIR /src
COPY go.mod go.sum ./
COPY mcp/go.mod mcp/go.sum mcp/
RUN go mod download && go -C mcp mod download
COPY . .
ARG VERSION=
ENV CGO_ENABLED=0
RUN go build -trimpath -ldflags "-s -w -X github.com/brennerlint/brennerlint/cli.version=${VERSION}" -o /image/ ./cmd/brennerlint && \
    go -C mcp build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /image/ ./cmd/brennerlint-mcp && \
    mkdir -m 1777 /image/tmp

FROM scratch
COPY --from=build /image /
USER 65532:65532
ENTRYPOINT ["/brennerlint"]
