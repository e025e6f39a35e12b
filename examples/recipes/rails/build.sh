# Installed gems, such as those of Debian's packages rails and puma, or else those of rubygems.org.
bundle install --quiet --local || {
  bundle config set --local path vendor
  bundle install --quiet
}
