exec bundle exec puma --quiet --bind "tcp://127.0.0.1:$PORT"
