import os

from openapi_client import ApiClient, ApplicationDraft, ApplicationDraftTenant, ApplicationsApi, AuthenticationApi, Configuration

host, username, password = (os.environ[name] for name in ("BASE_URL", "CLIENT_ID", "CLIENT_SECRET"))
basic = ApiClient(Configuration(host=host, username=username, password=password))
token = AuthenticationApi(basic).generate_token().data.access_token

applications = ApplicationsApi(ApiClient(Configuration(host=host, access_token=token)))
lead = ApplicationDraftTenant(email="amina.diallo@mail.example", is_lead=True)
other = ApplicationDraftTenant(email="noah.meyer@mail.example")
created = applications.create_application(ApplicationDraft(title="Studio", tenants=[lead, other])).data
found = applications.get_application(created.application_id).data
print(f"{found.title} ({found.application_id})")
for person in found.participants:
    print(f"  {person.email}: {person.consent_status.value}")
