#!/bin/sh
# Checks your own calls: Prism stands between your tests and a sandbox, and answers 4xx or 5xx where a request or a response breaks
# the contract. Usage: sh prism-proxy.sh npm test. Needs Node 24.18 or newer, curl, and BASE_URL in the environment.
set -eu
: "${BASE_URL:?}" "${1:?The command that runs your tests.}"
DOCS_URL=${DOCS_URL:-${BASE_URL%/api/v1}/docs}
PORT=${PRISM_PORT:-4020}
curl -fsS -O "$DOCS_URL/openapi.json"

# With exec, the signal that ends npx ends Prism, too.
npx --yes --package @stoplight/prism-cli@5.16.0 -c "exec prism proxy openapi.json '$BASE_URL' --errors --port '$PORT'" > prism.log 2>&1 &
proxy=$!
trap 'kill "$proxy" 2> /dev/null || true; wait "$proxy" || true' EXIT
until grep -q 'is listening' prism.log; do
  kill -0 "$proxy" 2> /dev/null || { cat prism.log >&2; exit 1; }
  sleep 1
done

# Your tests read the base address from here, with no path below it: Prism adds that of BASE_URL.
BASE_URL="http://127.0.0.1:$PORT" "$@"
