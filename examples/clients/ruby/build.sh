openapi-generator-cli generate -g ruby -i openapi.yaml -o client
gem install --quiet --conservative --user-install typhoeus
