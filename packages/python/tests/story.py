"""Calls the service of BASE_URL with the installed package, and verifies the vectors of the file in VECTORS."""

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

from tenant_screening import ScreeningClient, ScreeningError
from tenant_screening.webhooks import WebhookError, verify_webhook

screening = ScreeningClient(os.environ["BASE_URL"], os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"])
guest = "o'neil/50%+x@mail.example"

created = screening.create_application(
    {"title": "Studio", "tenants": [{"email": "amina+registered@mail.example", "is_lead": True}, {"email": guest}]}
)
application_id = created["data"]["application_id"]
with ThreadPoolExecutor() as threads:
    answers = list(threads.map(lambda _: screening.get_application(application_id), range(8)))
assert all(answer == answers[0] for answer in answers)

changed = screening.update_participant(application_id, guest, {"name": "Una O’Neil"})
assert changed["data"]["participants"][1]["name"] == "Una O’Neil"
tenant_id = answers[0]["data"]["participants"][0]["id"]
assert tenant_id and "/verify/kyc/" in screening.initiate_kyc(tenant_id)["data"]["verification_url"]

screening._token = "revoked"
assert screening.list_workspaces()["data"]["workspaces"] == []

for refused, status in (
    (lambda: screening.remove_participant(application_id, "amina+registered@mail.example"), 409),
    (lambda: screening.get_property("none", "none"), 400),
    (lambda: ScreeningClient(os.environ["BASE_URL"], "nobody", "x").list_workspaces(), 401),
):
    try:
        refused()
    except ScreeningError as error:
        assert error.status == status and error.message and error.request_id, error
        assert status != 400 or error.errors[0]["field"] == "workspace_id"
    else:
        raise AssertionError(f"no {status}")


def is_refused(*given):
    try:
        verify_webhook(*given)
    except WebhookError:
        return True
    return False


with open(os.environ["VECTORS"], encoding="utf-8") as file:
    vectors = json.load(file)
for vector in vectors:
    sent_at = int(vector["headers"]["webhook-timestamp"])
    time.time = lambda: sent_at
    body, headers = vector["body"].encode(), vector["headers"]
    for secret in (vector["secret"], *vector.get("former_secrets", [])):
        delivery = verify_webhook(body, headers, "another", secret)
        assert delivery.id == headers["webhook-id"] and delivery.event == json.loads(body), vector["name"]
    assert is_refused(body + b" ", headers, vector["secret"])
    assert is_refused(body, {**headers, "webhook-id": "msg_other"}, vector["secret"])
    assert is_refused(body, headers, "another")
    assert is_refused(body, {}, vector["secret"])
    time.time = lambda: sent_at + 301
    assert is_refused(body, headers, vector["secret"])

print(application_id)
