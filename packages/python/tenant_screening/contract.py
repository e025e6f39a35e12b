# Generated from openapi.yaml by `npm run generate`. Never edited by hand.
"""The contract's types, and a method for each operation."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

class KycEnvelopeData(TypedDict):
    """How to show the verification to the tenant. More fields may be added."""

    verification_url: str


class EidEnvelopeData(TypedDict):
    """Contains the link."""

    verification_link: str


class ForensicEnvelopeData(TypedDict):
    """The processing status and what this call did."""

    processing_status: ForensicProcessingStatus
    added_to_queue: bool


class WorkspacesEnvelopeData(TypedDict):
    """Contains the list."""

    workspaces: list[Workspace]


class PropertyEnvelopeData(TypedDict):
    """Contains the property."""

    property: Property


class KycVerificationDataEventData(TypedDict):
    """The result of the verification. All of it is provisional."""

    tenant_id: NotRequired[str]


class ForensicAnalysisDataEventData(TypedDict):
    """The result of the analysis. All of it is provisional."""

    tenant_id: NotRequired[str]


Success: TypeAlias = "Literal['success']"

class Error(TypedDict):
    """The body of every failed request."""

    status: Literal['error']
    message: str


class FieldError(TypedDict):
    """One offending input."""

    field: str
    message: str


class PropertyManagementError(TypedDict):
    """The body of a failed property-management request; `errors` is present on validation failures."""

    status: Literal['error']
    message: str
    errors: NotRequired[list[FieldError]]


Email: TypeAlias = "str"

class AccessToken(TypedDict):
    """A bearer token."""

    access_token: str
    token_type: Literal['Bearer']
    expires_in: int


class AccessTokenEnvelope(TypedDict):
    """A new bearer token."""

    status: Success
    message: str
    data: AccessToken


class ApplicationDraft(TypedDict):
    """An application to create."""

    title: str
    tenants: list[ApplicationDraftTenant]


class ApplicationDraftTenant(TypedDict):
    """A person who applies."""

    email: Email
    is_lead: NotRequired[bool]


class CreatedApplication(TypedDict):
    """Summary of the application."""

    application_id: str
    title: str


class CreatedApplicationEnvelope(TypedDict):
    """The application, new or existing."""

    status: Success
    message: str
    data: CreatedApplication


ConsentStatus: TypeAlias = "Literal['pending', 'accepted', 'rejected']"

OnboardingStatus: TypeAlias = "Literal['COMPLETED', 'PENDING', 'OUTDATED']"

ParticipantName: TypeAlias = "str"

LinkedTenantId: TypeAlias = "str | None"

class ModularParticipantSummary(TypedDict):
    """A participant without roles."""

    name: ParticipantName
    email: Email
    consent_status: ConsentStatus
    onboarding_status: OnboardingStatus
    id: LinkedTenantId


class ModularParticipant(TypedDict):
    """A participant of an application."""

    name: ParticipantName
    email: Email
    consent_status: ConsentStatus
    onboarding_status: OnboardingStatus
    id: LinkedTenantId
    is_lead: bool
    is_guarantor: bool


class ModularApplicationSummary(TypedDict):
    """An application whose participants show no roles."""

    application_id: str
    title: str
    participants: list[ModularParticipantSummary]
    created_at: str
    updated_at: str


class ModularApplication(TypedDict):
    """An application."""

    application_id: str
    title: str
    participants: list[ModularParticipant]
    created_at: str
    updated_at: str


class RemovalWarnings(TypedDict):
    """Present when the removal affected a pending payment."""

    service_protect_affected: bool


class ModularApplicationAfterRemoval(TypedDict):
    """An application after a participant left."""

    application_id: str
    title: str
    participants: list[ModularParticipant]
    created_at: str
    updated_at: str
    warnings: NotRequired[RemovalWarnings]


class ApplicationEnvelope(TypedDict):
    """The application."""

    status: Success
    message: str
    data: ModularApplicationSummary


class ParticipantChanges(TypedDict):
    """The fields to change."""

    name: NotRequired[str]
    is_guarantor: NotRequired[bool]


class UpdatedApplicationEnvelope(TypedDict):
    """The whole application after the change."""

    status: Success
    message: str
    data: ModularApplication


class RemainingApplicationEnvelope(TypedDict):
    """The application without the participant."""

    status: Success
    message: str
    data: ModularApplicationAfterRemoval


class KycEnvelope(TypedDict):
    """A verification that is under way."""

    status: Success
    message: str
    data: KycEnvelopeData


class EidReturn(TypedDict):
    """The URL to which the tenant is sent after verification."""

    redirect_url: str


class EidEnvelope(TypedDict):
    """A flow that has started."""

    status: Success
    message: str
    data: EidEnvelopeData


ForensicProcessingStatus: TypeAlias = "Literal['PENDING', 'PROCESSING', 'DOCUMENTS_ANALYSIS_NOT_FOUND', 'KYC_PENDING', 'QUEUED']"

class ForensicEnvelope(TypedDict):
    """The tenant's state."""

    status: Success
    message: str
    data: ForensicEnvelopeData


class Workspace(TypedDict):
    """A workspace of the landlord."""

    workspace_id: str
    workspace_name: str


class WorkspacesEnvelope(TypedDict):
    """The landlord's workspaces."""

    status: Success
    message: str
    data: WorkspacesEnvelopeData


class Property(TypedDict):
    """A property. Fields without a value are left out."""

    property_id: NotRequired[str]
    workspace_id: NotRequired[str]
    property_reference: NotRequired[str]
    rent_amount: NotRequired[float]
    street: NotRequired[str]
    street_number: NotRequired[int]
    entrance_stairwell: NotRequired[str]
    floor: NotRequired[int]
    letter: NotRequired[str]
    postal_code: NotRequired[str]
    municipality: NotRequired[str]
    province: NotRequired[str]
    bedrooms: NotRequired[int]
    bathrooms: NotRequired[int]


class PropertyEnvelope(TypedDict):
    """The property."""

    status: Success
    message: str
    data: PropertyEnvelopeData


class WebhookRegistration(TypedDict):
    """A URL to register."""

    url: str
    secret: NotRequired[str]


class Webhook(TypedDict):
    """A registered URL."""

    id: str
    url: str
    secret: NotRequired[str]
    status: Literal['active']
    last_triggered_at: NotRequired[str]


class WebhookEnvelope(TypedDict):
    """The new webhook."""

    status: Success
    message: str
    data: Webhook


class EidSuccessEvent(TypedDict):
    """The national electronic-identity flow succeeded."""

    event: Literal['EID_SUCCESS']
    data: None


class KycVerificationDataEvent(TypedDict):
    """A tenant's identity was verified."""

    event: Literal['KYC_VERIFICATION_DATA']
    data: KycVerificationDataEventData


class ForensicAnalysisDataEvent(TypedDict):
    """A tenant's documents were analysed."""

    event: Literal['FORENSIC_ANALYSIS_DATA']
    data: ForensicAnalysisDataEventData


EVENTS = ("EID_SUCCESS", "KYC_VERIFICATION_DATA", "FORENSIC_ANALYSIS_DATA")
ScreeningEvent: TypeAlias = "EidSuccessEvent | KycVerificationDataEvent | ForensicAnalysisDataEvent"


class Operations:
    """One method per operation. Each returns the whole response: ``status``, ``message`` and ``data``."""

    def _send(self, method: str, path: str, params: dict[str, str], body: object = None) -> Any:
        raise NotImplementedError

    def create_application(self, body: ApplicationDraft) -> CreatedApplicationEnvelope:
        """Create an application.

        Creates an application for one to five people, exactly one of whom is the lead. Their e-mail addresses need not belong to an account: no tenant is looked up or created. Every participant starts with `consent_status` `pending`, and each except the lead receives an invitation by e-mail. The property is linked later, with the tenant's onboarding token.

        If your API key already has an application whose active participants have exactly these e-mail addresses, that application is returned with another message and no invitations are sent. It keeps its own lead and title."""
        return self._send("POST", "/applications/create-application", {}, body)

    def get_application(self, application_id: str) -> ApplicationEnvelope:
        """Get an application.

        Returns an application created with the authenticated API key. The participants carry no role here: `is_lead` and `is_guarantor` are left out."""
        return self._send("GET", "/applications/{applicationId}", {"applicationId": application_id})

    def update_participant(self, application_id: str, email: str, body: ParticipantChanges) -> UpdatedApplicationEnvelope:
        """Update a participant.

        Changes the name or the guarantor role of one participant. Omitted fields stay unchanged. The e-mail address identifies the participant and cannot be changed."""
        return self._send("PATCH", "/applications/{applicationId}/participants/{email}", {"applicationId": application_id, "email": email}, body)

    def remove_participant(self, application_id: str, email: str) -> RemainingApplicationEnvelope:
        """Remove a participant.

        Removes one participant from an application. The lead cannot be removed; the lead must be transferred first. If the removal affected a pending payment, the response carries `warnings`."""
        return self._send("DELETE", "/applications/{applicationId}/participants/{email}", {"applicationId": application_id, "email": email})

    def initiate_kyc(self, tenant_id: str) -> KycEnvelope:
        """Start an identity verification (KYC).

        Starts an identity verification. It continues in the background: learn of its completion from the webhook event `KYC_VERIFICATION_DATA` or from the iframe events, not from this response.

        While a verification is under way, this call returns that one. After it has ended, successfully or not, the call starts another. In live, it starts at most one an hour for each person: until then, it returns the last one, and continues one that has expired. A flow or an analysis that does not succeed sends no webhook event.

        This `GET` has an effect. Prevent prefetching, link previews and automatic retries.

        When the verification runs in an iframe, the parent window receives `KYC_COMPLETED` (success), `KYC_ERROR` (error or failure) or `KYC_USER_EXIT` (the person left). Each is posted as a plain string."""
        return self._send("GET", "/tenants/initiate-kyc/{tenantId}", {"tenantId": tenant_id})

    def initiate_eid(self, tenant_id: str, body: EidReturn) -> EidEnvelope:
        """Start a national electronic-identity verification.

        Returns a link to an external page where the tenant is verified. This call returns no documents: after a success they are downloaded in the background, and the event `EID_SUCCESS` signals that they are available.

        Only a success sends the tenant on to your `redirect_url`, once. A flow that is cancelled, fails or expires ends on a hosted page, which offers another try. A flow or an analysis that does not succeed sends no webhook event."""
        return self._send("POST", "/tenants/initiate-eid/{tenantId}", {"tenantId": tenant_id}, body)

    def run_forensic(self, tenant_id: str) -> ForensicEnvelope:
        """Run a forensic analysis.

        Queues an analysis of the tenant's documents and returns its state without waiting for the result. Normally you need not call it: the service starts the analysis once its prerequisites are met.

        | `processing_status` | meaning | `added_to_queue` |
        |---|---|---|
        | `PENDING` | the tenant already waits for the processor | false |
        | `PROCESSING` | the processor works on the tenant | false |
        | `DOCUMENTS_ANALYSIS_NOT_FOUND` | there are no documents and nothing was analysed yet | false |
        | `KYC_PENDING` | the identity verification is not completed | false |
        | `QUEUED` | the tenant was added and is processed shortly | true |

        The first row that matches applies. When the analysis completes successfully, the event `FORENSIC_ANALYSIS_DATA` is sent. A flow or an analysis that does not succeed sends no webhook event. Once an analysis has ended, successfully or not, a later call queues the tenant again. Within a minute after a result, a call answers `PENDING`: the tenant is processed at the end of that minute.

        This `GET` has an effect. Prevent prefetching, link previews and automatic retries."""
        return self._send("GET", "/tenants/run-forensic/{tenantId}", {"tenantId": tenant_id})

    def list_workspaces(self) -> WorkspacesEnvelope:
        """List accessible workspaces.

        Lists the workspaces of the authenticated landlord. Requests for a property need their `workspace_id`."""
        return self._send("GET", "/property-management/workspaces", {})

    def get_property(self, property_id: str, workspace_id: str) -> PropertyEnvelope:
        """Get a property.

        Returns one property of a workspace to which the authenticated landlord has access. Identify the workspace by its public UUID, not by an internal database identifier."""
        return self._send("GET", "/property-management/properties/{property_id}", {"property_id": property_id, "workspace_id": workspace_id})

    def create_webhook(self, body: WebhookRegistration) -> WebhookEnvelope:
        """Create a webhook.

        Registers a URL that receives system events. It must accept `POST`. It receives every event that your API key causes.

        With a `secret`, each delivery is signed over the exact bytes of its body; the secret itself is never sent. The scheme is Standard Webhooks.

        Any 2xx answer within 15 seconds acknowledges a delivery; redirects are not followed. Any other outcome is retried at growing intervals over about a day, with the same body and `webhook-id`. Deliveries may arrive twice and in any order."""
        return self._send("POST", "/webhooks/create-webhook", {}, body)
