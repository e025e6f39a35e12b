openapi-generator-cli generate -g php -i openapi.yaml -o client --additional-properties=composerPackageName=screening/client
composer init --quiet --no-interaction --name=screening/story --repository='{"type": "path", "url": "client"}' --require='screening/client:*@dev'
composer install --quiet
