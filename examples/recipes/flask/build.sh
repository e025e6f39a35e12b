python3 -m venv .venv
.venv/bin/pip install --quiet flask==3.1.3 standardwebhooks==1.1.0
