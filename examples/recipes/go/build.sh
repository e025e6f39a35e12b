go mod init receiver
go get github.com/standard-webhooks/standard-webhooks/libraries
go build -o receiver .
