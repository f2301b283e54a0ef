# Real servers for the tests, built from the Go module proxy and started on free ports; to be sourced by .ci/run.
# Sets MONGODB_URL, S3_BUCKET and their companions, and FERRETDB_BIN and VERSITYGW_BIN for the tests that kill servers.

SERVERS_HOME=${SERVERS_HOME:-$(mktemp -d)}
SERVER_PIDS=()

# build_server NAME MODULE VERSION COMMAND: a binary in SERVERS_HOME, from a copy of the module's source. `go install`
# would ask for the list of all versions, and FerretDB starts only with its version in a file.
build_server() {
  local name=$1 module=$2 version=$3 command=$4 source=$SERVERS_HOME/$1-source
  (
    cp -r "$(go mod download -json "$module@$version" | sed -n 's/.*"Dir": "\(.*\)",*/\1/p')" "$source"
    chmod -R u+w "$source"
    cd "$source"
    if [ -d build/version ]; then echo "$version" >build/version/version.txt; fi
    GOFLAGS='-mod=mod -buildvcs=false' go build -o "$SERVERS_HOME/$name" "$command"
    rm -rf "$source"
  ) >"$SERVERS_HOME/$name.build.log" 2>&1 || {
    tail -5 "$SERVERS_HOME/$name.build.log"
    return 1
  }
}

free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# Waits until something accepts connections at a port.
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
  "$SERVERS_HOME/ferretdb" --handler=sqlite --sqlite-url="file:$data/" --state-dir="$data" \
    --listen-addr="127.0.0.1:$port" --debug-addr=- --telemetry=disable --log-level=error \
    >"$SERVERS_HOME/ferretdb.log" 2>&1 &
  SERVER_PIDS+=($!)
  wait_for_port "$port"
  export MONGODB_URL="mongodb://127.0.0.1:$port/timing" FERRETDB_BIN="$SERVERS_HOME/ferretdb"
}

start_versitygw() {
  local port data=$SERVERS_HOME/s3-data
  port=$(free_port)
  # A directory is a bucket.
  mkdir -p "$data/objects/timing" "$data/metadata"
  export AWS_ACCESS_KEY_ID=timing-ci AWS_SECRET_ACCESS_KEY=timing-ci-secret
  ROOT_ACCESS_KEY=$AWS_ACCESS_KEY_ID ROOT_SECRET_KEY=$AWS_SECRET_ACCESS_KEY \
    "$SERVERS_HOME/versitygw" --port "127.0.0.1:$port" --quiet --keep-alive --region us-east-1 \
    posix --sidecar "$data/metadata" "$data/objects" >"$SERVERS_HOME/versitygw.log" 2>&1 &
  SERVER_PIDS+=($!)
  wait_for_port "$port"
  export S3_BUCKET=timing S3_ENDPOINT="http://127.0.0.1:$port" S3_REGION=us-east-1 VERSITYGW_BIN="$SERVERS_HOME/versitygw"
}

start_servers() {
  if ! command -v go >/dev/null; then
    echo 'skipped: MongoDB and S3 tests on real servers (there is no Go to build them with)'
    return 0
  fi
  if build_server ferretdb github.com/FerretDB/FerretDB v1.24.2 ./cmd/ferretdb; then
    start_ferretdb
  else
    echo 'skipped: MongoDB tests on a real server (FerretDB cannot be built here)'
  fi
  if build_server versitygw github.com/versity/versitygw v1.8.0 ./cmd/versitygw; then
    start_versitygw
  else
    echo 'skipped: S3 tests on a real server (versitygw cannot be built here)'
  fi
}

stop_servers() {
  if [ ${#SERVER_PIDS[@]} -gt 0 ]; then kill -9 "${SERVER_PIDS[@]}" 2>/dev/null || true; fi
  rm -rf "$SERVERS_HOME"
}
