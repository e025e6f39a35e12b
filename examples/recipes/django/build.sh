python3 -m venv .venv
.venv/bin/pip install --quiet django==5.2.19 standardwebhooks==1.1.0
