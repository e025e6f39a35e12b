exec .venv/bin/python app.py
