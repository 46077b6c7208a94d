# Builds and holds the one static binary: docker run --rm -v "$PWD:/src" -w /src ghcr.io/brennerlint/brennerlint .
FROM golang:1.26-alpine AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /brennerlint ./cmd/brennerlint

FROM scratch
COPY --from=build /brennerlint /brennerlint
USER 65532:65532
ENTRYPOINT ["/brennerlint"]
