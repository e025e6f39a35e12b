import os
import threading
import time

from flask import Flask, abort, request
from standardwebhooks import Webhook

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
seen = set()
app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 2**20


@app.post("/hook")
def hook():
    try:
        event = webhook.verify(request.get_data(), dict(request.headers))
    except Exception:  # a malformed signature raises other errors than a wrong one
        abort(400)
    delivery = request.headers["webhook-id"]
    is_new = delivery not in seen
    seen.add(delivery)
    if is_new:
        threading.Thread(target=work, args=(delivery, event)).start()
    return "", 204


def work(delivery, event):
    """Your own work, after the answer. In production, a job in a queue."""
    time.sleep(float(os.environ.get("WORK_SECONDS", "0")))
    print(delivery, event["event"], flush=True)
