npm init -y >/dev/null
npm install --silent express@5.3.0 standardwebhooks@1.1.1
