import os
from base64 import b64encode

from tenant_application_and_screening_api_client import AuthenticatedClient
from tenant_application_and_screening_api_client.api.applications import create_application, get_application
from tenant_application_and_screening_api_client.api.authentication import generate_token
from tenant_application_and_screening_api_client.models import ApplicationDraft, ApplicationDraftTenant, Error

base_url = os.environ["BASE_URL"]
credentials = b64encode(f"{os.environ['CLIENT_ID']}:{os.environ['CLIENT_SECRET']}".encode()).decode()


def data_of(answer):
    if answer is None or isinstance(answer, Error):
        raise SystemExit(answer)
    return answer.data


issued = data_of(generate_token.sync(client=AuthenticatedClient(base_url, credentials, prefix="Basic")))
client = AuthenticatedClient(base_url, issued.access_token)
tenants = [
    ApplicationDraftTenant("amina.diallo@mail.example", is_lead=True),
    ApplicationDraftTenant("noah.meyer@mail.example"),
]
created = data_of(create_application.sync(client=client, body=ApplicationDraft("Studio", tenants)))
found = data_of(get_application.sync(created.application_id, client=client))
print(f"{found.title} ({found.application_id})")
for person in found.participants:
    print(f"  {person.email}: {person.consent_status.value}")
