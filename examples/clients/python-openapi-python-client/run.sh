python3 story.py
