import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook

LIMIT_BYTES = 1_000_000
webhook = Webhook(os.environ["WEBHOOK_SECRET"])
seen = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not length.isdecimal():
            return self.answer(411)
        if int(length) > LIMIT_BYTES:
            return self.answer(413)
        body = self.rfile.read(int(length))
        try:
            event = webhook.verify(body, dict(self.headers))
        except Exception:  # a malformed signature raises other errors than a wrong one
            return self.answer(400)

        delivery = self.headers["webhook-id"]
        is_new = delivery not in seen
        seen.add(delivery)
        self.answer(204)
        if is_new:
            print(delivery, event["event"], event["data"], flush=True)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()


port = int(os.environ.get("PORT", "4000"))
ThreadingHTTPServer(("127.0.0.1", port), Receiver).serve_forever()
