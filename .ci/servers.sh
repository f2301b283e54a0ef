# Real servers for the tests, built once from the Go module proxy and started on free ports. .ci/run sources this file.
# Sets MONGODB_URL, S3_BUCKET and their companions, and FERRETDB_BIN and VERSITYGW_BIN for the tests that kill servers.

SERVERS_HOME=${SERVERS_HOME:-$(mktemp -d)}
# Built servers stay here for the next run.
SERVERS_CACHE=${XDG_CACHE_HOME:-${HOME:-$SERVERS_HOME}/.cache}/sim-racing-timing/$(uname -sm | tr ' ' -)
FERRETDB_VERSION=v1.24.2
VERSITYGW_VERSION=v1.8.0
FERRETDB=$SERVERS_CACHE/ferretdb-$FERRETDB_VERSION
VERSITYGW=$SERVERS_CACHE/versitygw-$VERSITYGW_VERSION
SERVER_PIDS=()

# build_server BINARY MODULE VERSION COMMAND: builds a binary from a copy of the module's source. `go install` would
# request the list of all versions, and FerretDB starts only with its version in a file.
build_server() {
  local binary=$1 module=$2 version=$3 command=$4 source
  source=$SERVERS_HOME/$(basename "$binary")
  if [ -x "$binary" ]; then return 0; fi
  (
    mkdir -p "$SERVERS_CACHE" &&
      cp -r "$(go mod download -json "$module@$version" | sed -n 's/.*"Dir": "\(.*\)",*/\1/p')" "$source" &&
      chmod -R u+w "$source" &&
      cd "$source" &&
      { [ ! -d build/version ] || echo "$version" >build/version/version.txt; } &&
      GOFLAGS='-mod=mod -buildvcs=false' nice go build -o "$source.built" "$command" &&
      # Moved into place, so another run never finds half a binary.
      cp "$source.built" "$binary.$$" && mv "$binary.$$" "$binary"
  ) >"$source.log" 2>&1 || tail -5 "$source.log"
}

# Builds the missing servers; takes minutes.
build_servers() {
  build_server "$FERRETDB" github.com/FerretDB/FerretDB "$FERRETDB_VERSION" ./cmd/ferretdb
  build_server "$VERSITYGW" github.com/versity/versitygw "$VERSITYGW_VERSION" ./cmd/versitygw
}

# Installs Debian's reverse proxies for test/proxies, which skips those that are missing; none is started as a service.
install_proxies() {
  if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then return 0; fi
  if command -v nginx >/dev/null && command -v haproxy >/dev/null && command -v caddy >/dev/null &&
    command -v apache2 >/dev/null; then return 0; fi
  apt-get -qq update
  local policy=/usr/sbin/policy-rc.d made=no
  # Packages of servers start them, unless this says no.
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod +x "$policy" && made=yes
  fi
  DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends -y nginx haproxy caddy apache2
  local status=$?
  if [ "$made" = yes ]; then rm -f "$policy"; fi
  return "$status"
}

free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# Waits until a port accepts connections.
wait_for_port() {
  for _ in $(seq 200); do
    if (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then return 0; fi
    sleep 0.1
  done
  return 1
}

start_ferretdb() {
  local port data=$SERVERS_HOME/ferretdb-data
  port=$(free_port)
  mkdir -p "$data"
  "$FERRETDB" --handler=sqlite --sqlite-url="file:$data/" --state-dir="$data" \
    --listen-addr="127.0.0.1:$port" --debug-addr=- --telemetry=disable --log-level=error \
    >"$SERVERS_HOME/ferretdb.log" 2>&1 &
  SERVER_PIDS+=($!)
  wait_for_port "$port"
  export MONGODB_URL="mongodb://127.0.0.1:$port/timing" FERRETDB_BIN=$FERRETDB
}

start_versitygw() {
  local port data=$SERVERS_HOME/s3-data
  port=$(free_port)
  # Each directory is a bucket.
  mkdir -p "$data/objects/timing" "$data/metadata"
  export AWS_ACCESS_KEY_ID=timing-ci AWS_SECRET_ACCESS_KEY=timing-ci-secret
  ROOT_ACCESS_KEY=$AWS_ACCESS_KEY_ID ROOT_SECRET_KEY=$AWS_SECRET_ACCESS_KEY \
    "$VERSITYGW" --port "127.0.0.1:$port" --quiet --keep-alive --region us-east-1 \
    posix --sidecar "$data/metadata" "$data/objects" >"$SERVERS_HOME/versitygw.log" 2>&1 &
  SERVER_PIDS+=($!)
  wait_for_port "$port"
  export S3_BUCKET=timing S3_ENDPOINT="http://127.0.0.1:$port" S3_REGION=us-east-1 VERSITYGW_BIN=$VERSITYGW
}

# Starts the servers that could be built.
start_servers() {
  if [ -x "$FERRETDB" ]; then start_ferretdb; else echo 'skipped: MongoDB tests on a real server (no FerretDB here)'; fi
  if [ -x "$VERSITYGW" ]; then start_versitygw; else echo 'skipped: S3 tests on a real server (no versitygw here)'; fi
}

stop_servers() {
  if [ ${#SERVER_PIDS[@]} -gt 0 ]; then kill -9 "${SERVER_PIDS[@]}" 2>/dev/null || true; fi
  rm -rf "$SERVERS_HOME"
}
