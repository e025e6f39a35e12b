openapi-generator-cli generate -g java -i openapi.yaml -o client
mvn -q -f client -DskipTests package dependency:copy-dependencies
