exec .venv/bin/flask --app app run --port "$PORT"
