openapi-generator-cli generate -g go -i openapi.yaml -o client
go mod init story
go mod edit -replace github.com/GIT_USER_ID/GIT_REPO_ID=./client
go mod tidy
go build -o story .
