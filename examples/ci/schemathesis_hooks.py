"""Hooks for Schemathesis: they sign in, and give valid requests the people and ids that a sandbox knows.

Environment: BASE_URL, CLIENT_ID, CLIENT_SECRET; optionally WORKSPACE_ID and PROPERTY_ID (default: the demo's, which are the
contract's examples).
"""

import base64
import json
import os
import urllib.request
import uuid

import schemathesis
from schemathesis import GenerationMode

for name in ("BASE_URL", "CLIENT_ID", "CLIENT_SECRET"):
    if not os.environ.get(name):
        raise SystemExit(f'Set {name}; see the guide "Contract tests in your CI".')

BASE_URL = os.environ["BASE_URL"]
BASIC = "Basic " + base64.b64encode(f"{os.environ['CLIENT_ID']}:{os.environ['CLIENT_SECRET']}".encode()).decode()
WORKSPACE_ID = os.environ.get("WORKSPACE_ID", "7a1e0c56-2b9d-4f6e-9d3c-8e5f4a3b2c1d")
PROPERTY_ID = os.environ.get("PROPERTY_ID", "3f2b1a09-8c7d-4e6f-a5b4-c3d2e1f00918")


def call(method, path, authorization, body=None):
    request = urllib.request.Request(
        BASE_URL + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": authorization, "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)["data"]


@schemathesis.auth(refresh_interval=1800)
class Credentials:
    """HTTP Basic for a token, the token for all else."""

    def get(self, case, context):
        return call("POST", "/authenticate/token", BASIC)["access_token"]

    def set(self, case, data, context):
        is_token = case.operation.definition.raw["operationId"] == "generateToken"
        case.headers = case.headers or {}
        case.headers["Authorization"] = BASIC if is_token else f"Bearer {data}"


def people():
    """Two new people. The tags make the sandbox play the first: an account, and a verification without a click."""
    name = uuid.uuid4().hex[:12]
    return [
        {"email": f"lead-{name}+registered+kyc-verified@mail.example", "is_lead": True},
        {"email": f"guest-{name}@mail.example", "is_lead": False},
    ]


class Stage:
    """An application of this run. What a response named exists as well: a link of the contract may have led there."""

    def __init__(self):
        self.token = "Bearer " + call("POST", "/authenticate/token", BASIC)["access_token"]
        self.named = {"property_id": {PROPERTY_ID}, "applicationId": set(), "email": set(), "tenantId": set()}
        self.renew()

    def renew(self):
        tenants = people()
        body = {"title": "Contract test", "tenants": tenants}
        created = call("POST", "/applications/create-application", self.token, body)
        found = call("GET", f"/applications/{created['application_id']}", self.token)
        self.values = {
            "applicationId": created["application_id"],
            "email": tenants[1]["email"],
            "tenantId": found["participants"][0]["id"],
            "property_id": PROPERTY_ID,
        }

    def value(self, name, generated):
        return generated if generated in self.named[name] else self.values[name]

    def note(self, data):
        self.named["applicationId"].add(data["application_id"])
        for participant in data.get("participants", []):
            self.named["email"].add(participant["email"])
            self.named["tenantId"].add(participant["id"])


stage = None


def is_valid(case):
    """Whether each part of the request was generated to be accepted."""
    parts = [case.meta.generation, *case.meta.components.values()] if case.meta else []
    return all(part.mode == GenerationMode.POSITIVE for part in parts)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Valid requests get people and ids that exist; requests with invalid data stay as they were generated."""
    global stage
    if not is_valid(case):
        return
    stage = stage or Stage()
    operation = case.operation.definition.raw["operationId"]
    if operation == "createApplication":
        case.body["tenants"] = people()
    if operation == "removeParticipant":
        stage.renew()
    for name, generated in (case.path_parameters or {}).items():
        case.path_parameters[name] = stage.value(name, generated)
    if operation == "getProperty":
        case.query["workspace_id"] = WORKSPACE_ID
    if operation == "initiateEid":
        case.body["redirect_url"] = "https://letting.example/back"
    if operation == "createWebhook":
        case.body["url"] = "https://letting.example/hooks/screening"


@schemathesis.hook
def after_call(context, case, response):
    data = response.json().get("data") if response.status_code == 200 else None
    if stage and isinstance(data, dict) and "application_id" in data:
        stage.note(data)


@schemathesis.check
def declared_headers(context, response, case):
    """Each header that the contract declares is there; by default, Schemathesis looks for required ones only."""
    contract = case.operation.schema.raw_schema
    answer = case.operation.definition.raw["responses"].get(str(response.status_code), {})
    for key in answer.get("$ref", "").split("/")[1:]:
        contract = answer = contract[key]
    sent = {name.lower() for name in response.headers}
    missing = [name for name in answer.get("headers", {}) if name.lower() not in sent]
    assert not missing, f"Declared by the contract, but not sent: {', '.join(missing)}"
