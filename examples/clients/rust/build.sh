openapi-generator-cli generate -g rust -i openapi.yaml -o client
cargo init --name story --vcs none
cargo add --path client
cargo add tokio --features macros,rt-multi-thread
cargo build
