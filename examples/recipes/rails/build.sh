bundle config set --local path vendor
bundle install --quiet
