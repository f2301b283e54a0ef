# Generators of clients for the tests, installed once from their registries. .ci/run sources this file after
# .ci/servers.sh, whose folder for built programs it uses.

OAPI_CODEGEN_VERSION=v2.8.2
OPENAPI_GENERATOR_VERSION=7.25.0
OPENAPI_PYTHON_CLIENT_VERSION=0.29.1
OAPI_CODEGEN=$SERVERS_CACHE/oapi-codegen-$OAPI_CODEGEN_VERSION
OPENAPI_GENERATOR=$SERVERS_CACHE/openapi-generator-cli-$OPENAPI_GENERATOR_VERSION.jar
OPENAPI_PYTHON_CLIENT=$SERVERS_CACHE/openapi-python-client-$OPENAPI_PYTHON_CLIENT_VERSION

# install_python_client FOLDER: a virtual environment with the generator, and what its clients need.
install_python_client() {
  if [ -x "$1/bin/openapi-python-client" ] || ! command -v python3 >/dev/null; then return 0; fi
  python3 -m venv "$1" && "$1/bin/pip" -q install "openapi-python-client==$OPENAPI_PYTHON_CLIENT_VERSION" || rm -rf "$1"
}

# Installs the missing generators; takes a minute.
install_generators() {
  mkdir -p "$SERVERS_CACHE"
  if command -v go >/dev/null; then
    build_server "$OAPI_CODEGEN" github.com/oapi-codegen/oapi-codegen/v2 "$OAPI_CODEGEN_VERSION" ./cmd/oapi-codegen
  fi
  if command -v mvn >/dev/null && [ ! -f "$OPENAPI_GENERATOR" ]; then
    mvn -q dependency:copy "-Dartifact=org.openapitools:openapi-generator-cli:$OPENAPI_GENERATOR_VERSION" \
      "-DoutputDirectory=$SERVERS_CACHE"
  fi
  install_python_client "$OPENAPI_PYTHON_CLIENT"
}

# Names the generators that there are for the tests.
name_generators() {
  if [ -x "$OAPI_CODEGEN" ]; then export OAPI_CODEGEN; else unset OAPI_CODEGEN; fi
  if [ -f "$OPENAPI_GENERATOR" ]; then export OPENAPI_GENERATOR; else unset OPENAPI_GENERATOR; fi
  if [ -x "$OPENAPI_PYTHON_CLIENT/bin/python" ]; then export OPENAPI_PYTHON_CLIENT; else unset OPENAPI_PYTHON_CLIENT; fi
}
