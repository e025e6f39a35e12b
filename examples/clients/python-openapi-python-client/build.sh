openapi-python-client generate --path openapi.yaml --output-path client
python3 -m pip install --quiet ./client
