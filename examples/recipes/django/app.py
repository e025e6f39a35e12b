import os
import threading
import time

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from standardwebhooks import Webhook

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1", "localhost"],
    DATA_UPLOAD_MAX_MEMORY_SIZE=2**20,
    ROOT_URLCONF=__name__,
    SECRET_KEY=os.environ.get("DJANGO_SECRET_KEY", "only for this example"),
)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])
seen = set()


@csrf_exempt  # the signature takes the place of the token
@require_POST
def hook(request):
    try:
        event = webhook.verify(request.body, dict(request.headers))
    except Exception:  # a malformed signature raises other errors than a wrong one
        return HttpResponse(status=400)
    delivery = request.headers["webhook-id"]
    is_new = delivery not in seen
    seen.add(delivery)
    if is_new:
        threading.Thread(target=work, args=(delivery, event)).start()
    return HttpResponse(status=204)


def work(delivery, event):
    """Your own work, after the answer. In production, a job in a queue."""
    time.sleep(float(os.environ.get("WORK_SECONDS", "0")))
    print(delivery, event["event"], flush=True)


urlpatterns = [path("hook", hook)]
application = get_wsgi_application()

if __name__ == "__main__":
    from django.core.management import execute_from_command_line

    address = f"127.0.0.1:{os.environ.get('PORT', '4000')}"
    execute_from_command_line(["app.py", "runserver", "--noreload", address])
