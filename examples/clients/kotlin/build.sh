openapi-generator-cli generate -g kotlin -i openapi.yaml -o client
mvn -q package dependency:copy-dependencies
