npm init -y >/dev/null
npm install --silent fastify@5.12.8 standardwebhooks@1.1.1
