openapi-generator-cli generate -g python -i openapi.yaml -o client
python3 -m pip install --quiet ./client
