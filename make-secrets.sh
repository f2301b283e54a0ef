#!/bin/sh
# Makes the secrets of compose.yaml, so that none of them is known to anybody else: passwords and the key that signs
# licence files, in .env, and the certificate of EventStoreDB with that of its authority, in certificates/. Needs
# openssl. What is there already stays; to renew the certificate, delete certificates/ and start all containers anew.
set -eu
umask 077
cd "$(dirname "$0")"

DAYS=3650

password() {
  openssl rand -hex 24
}

base64url() {
  openssl base64 -A | tr '+/' '-_' | tr -d '='
}

# An Ed25519 key pair as a JSON Web Key: the last 32 bytes of each key's DER form are the key itself.
signing_key() {
  openssl genpkey -algorithm ed25519 -outform DER -out "$scratch/key"
  d=$(tail -c 32 "$scratch/key" | base64url)
  x=$(openssl pkey -inform DER -in "$scratch/key" -pubout -outform DER | tail -c 32 | base64url)
  printf '{"kty":"OKP","crv":"Ed25519","d":"%s","x":"%s"}' "$d" "$x"
}

# set_once NAME VALUE
set_once() {
  if ! grep -q "^$1=" .env; then printf "%s='%s'\n" "$1" "$2" >>.env; fi
}

# The key of the authority is not kept: it signs nothing else.
make_certificates() {
  cat >"$scratch/openssl.cnf" <<EOF
[req]
distinguished_name = unused
[unused]
[authority]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[node]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature, keyEncipherment
extendedKeyUsage = serverAuth, clientAuth
subjectAltName = DNS:eventstore, DNS:localhost, IP:127.0.0.1
EOF
  openssl req -config "$scratch/openssl.cnf" -x509 -extensions authority -newkey rsa:3072 -nodes -sha256 -days $DAYS \
    -subj '/CN=EventStoreDB CA' -keyout "$scratch/ca.key" -out "$scratch/ca.crt"
  openssl req -config "$scratch/openssl.cnf" -newkey rsa:3072 -nodes -sha256 \
    -subj '/CN=eventstoredb-node' -keyout "$scratch/eventstore.key" -out "$scratch/eventstore.csr"
  openssl x509 -req -in "$scratch/eventstore.csr" -CA "$scratch/ca.crt" -CAkey "$scratch/ca.key" -set_serial 1 \
    -sha256 -days $DAYS -extfile "$scratch/openssl.cnf" -extensions node -out "$scratch/eventstore.crt"
  mkdir certificates
  # The users in the containers read them; on this machine nobody else enters the directory.
  chmod 644 "$scratch/ca.crt" "$scratch/eventstore.crt" "$scratch/eventstore.key"
  mv "$scratch/ca.crt" "$scratch/eventstore.crt" "$scratch/eventstore.key" certificates/
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

touch .env
chmod 600 .env
for name in EVENTSTORE_PASSWORD EVENTSTORE_OPS_PASSWORD MONGODB_PASSWORD S3_ACCESS_KEY S3_SECRET_KEY; do
  set_once "$name" "$(password)"
done
set_once LICENSE_SIGNING_KEY "$(signing_key)"
if [ ! -e certificates ]; then make_certificates 2>"$scratch/log" || { cat "$scratch/log" >&2; exit 1; }; fi
echo 'The secrets are in .env and certificates/. Keep a copy of both, and neither in a repository.'
