# The image of a checkout: docker build -t brennerlint . It holds the static binary and
# a folder for temporary files, which large shares are unpacked to:
#   docker run --rm -v "$PWD:/src" -w /src brennerlint .
#
# The released image has no base and is not built here (.ci/image). This one is built by
# what a tag names today; to build it by one image, give its digest, which
# `docker buildx imagetools inspect golang:1.26` prints:
#   docker build --build-arg GO_IMAGE=golang:1.26@sha256:... .
ARG GO_IMAGE=golang:1.26
FROM ${GO_IMAGE} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
ENV CGO_ENABLED=0
RUN go build -trimpath -buildvcs=false -ldflags "-s -w -X github.com/brennerlint/brennerlint/cli.version=${VERSION}" -o /image/ ./cmd/brennerlint && \
    mkdir -m 1777 /image/tmp && mkdir /image/licenses && cp LICENSE /image/licenses/ && \
    .ci/licenses /image/licenses/THIRD_PARTY_LICENSES.txt

FROM scratch
COPY --from=build /image /
USER 65532:65532
ENTRYPOINT ["/brennerlint"]
