#!/bin/sh
# Contract tests from a plain shell: fetches the contract and the kit, then runs Dredd and Schemathesis against a sandbox.
# Needs Node 18 or newer, Python 3.10 or newer, curl, and BASE_URL, CLIENT_ID and CLIENT_SECRET in the environment.
set -eu
: "${BASE_URL:?}" "${CLIENT_ID:?}" "${CLIENT_SECRET:?}"
export BASE_URL CLIENT_ID CLIENT_SECRET
# Where the guides are served; the sandbox serves them beside the API.
DOCS_URL=${DOCS_URL:-${BASE_URL%/api/v1}/docs}

for file in openapi.json dredd-hooks.js schemathesis_hooks.py schemathesis.toml; do
  curl -fsS -O "$DOCS_URL/$file"
done

echo 'Dredd: every declared response'
npx --yes dredd@14.1.0 openapi.json "$BASE_URL" --hookfiles=./dredd-hooks.js --loglevel=error

echo 'Schemathesis: generated requests, and walks along the links of the contract'
python3 -m venv .contract-tests
.contract-tests/bin/pip install --quiet schemathesis==4.32.5
.contract-tests/bin/schemathesis run openapi.json
