go mod init story
mkdir client
go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -generate types,client -package client -o client/client.go openapi.yaml
go mod tidy
go build -o story .
