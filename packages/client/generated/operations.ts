// Generated from openapi.yaml by `npm run generate`. Never edited by hand.

import type { components } from './contract.ts';

type Schemas = components['schemas'];

/** What a request needs: values for the path or the query, and a body. */
export interface Input {
  params?: Record<string, string>;
  body?: unknown;
}

/** One method per operation. Each returns the whole response: `status`, `message` and `data`. */
export abstract class Operations {
  protected abstract send<Answer>(method: string, path: string, input: Input): Promise<Answer>;

  /**
   * Create an application.
   *
   * Creates an application for one to five people, exactly one of whom is the lead. Their e-mail addresses need not belong to an account: no tenant is looked up or created. Every participant starts with `consent_status` `pending`, and each except the lead receives an invitation by e-mail. The property is linked later, with the tenant's onboarding token.
   *
   * If your API key already has an application whose active participants have exactly these e-mail addresses, that application is returned with another message and no invitations are sent. It keeps its own lead and title.
   */
  createApplication(body: Schemas['ApplicationDraft']): Promise<Schemas['CreatedApplicationEnvelope']> {
    return this.send('POST', '/applications/create-application', { body });
  }

  /**
   * Get an application.
   *
   * Returns an application created with the authenticated API key. The participants carry no role here: `is_lead` and `is_guarantor` are left out.
   */
  getApplication(params: { /** Identifier of the application. A UUID may be in lower or upper case. */ applicationId: string }): Promise<Schemas['ApplicationEnvelope']> {
    return this.send('GET', '/applications/{applicationId}', { params });
  }

  /**
   * Update a participant.
   *
   * Changes the name or the guarantor role of one participant. Omitted fields stay unchanged. The e-mail address identifies the participant and cannot be changed.
   */
  updateParticipant(params: { /** Identifier of the application. A UUID may be in lower or upper case. */ applicationId: string; /** E-mail address of the participant. */ email: string }, body: Schemas['ParticipantChanges']): Promise<Schemas['UpdatedApplicationEnvelope']> {
    return this.send('PATCH', '/applications/{applicationId}/participants/{email}', { params, body });
  }

  /**
   * Remove a participant.
   *
   * Removes one participant from an application. The lead cannot be removed; the lead must be transferred first. If the removal affected a pending payment, the response carries `warnings`.
   */
  removeParticipant(params: { /** Identifier of the application. A UUID may be in lower or upper case. */ applicationId: string; /** E-mail address of the participant. */ email: string }): Promise<Schemas['RemainingApplicationEnvelope']> {
    return this.send('DELETE', '/applications/{applicationId}/participants/{email}', { params });
  }

  /**
   * Start an identity verification (KYC).
   *
   * Starts an identity verification. It continues in the background: learn of its completion from the webhook event `KYC_VERIFICATION_DATA` or from the iframe events, not from this response.
   *
   * While a verification is under way, this call returns that one. After it has ended, successfully or not, the call starts another. In live, it starts at most one an hour for each person: until then, it returns the last one, and continues one that has expired. A flow or an analysis that does not succeed sends no webhook event.
   *
   * This `GET` has an effect. Prevent prefetching, link previews and automatic retries.
   *
   * When the verification runs in an iframe, the parent window receives `KYC_COMPLETED` (success), `KYC_ERROR` (error or failure) or `KYC_USER_EXIT` (the person left). Each is posted as a plain string.
   */
  initiateKyc(params: { /** Identifier of the tenant, as shown by a participant's `id`. A UUID may be in lower or upper case. */ tenantId: string }): Promise<Schemas['KycEnvelope']> {
    return this.send('GET', '/tenants/initiate-kyc/{tenantId}', { params });
  }

  /**
   * Start a national electronic-identity verification.
   *
   * Returns a link to an external page where the tenant is verified. This call returns no documents: after a success they are downloaded in the background, and the event `EID_SUCCESS` signals that they are available.
   *
   * Only a success sends the tenant on to your `redirect_url`, once. A flow that is cancelled, fails or expires ends on a hosted page, which offers another try. A flow or an analysis that does not succeed sends no webhook event.
   */
  initiateEid(params: { /** Identifier of the tenant, as shown by a participant's `id`. A UUID may be in lower or upper case. */ tenantId: string }, body: Schemas['EidReturn']): Promise<Schemas['EidEnvelope']> {
    return this.send('POST', '/tenants/initiate-eid/{tenantId}', { params, body });
  }

  /**
   * Run a forensic analysis.
   *
   * Queues an analysis of the tenant's documents and returns its state without waiting for the result. Normally you need not call it: the service starts the analysis once its prerequisites are met.
   *
   * | `processing_status` | meaning | `added_to_queue` |
   * |---|---|---|
   * | `PENDING` | the tenant already waits for the processor | false |
   * | `PROCESSING` | the processor works on the tenant | false |
   * | `DOCUMENTS_ANALYSIS_NOT_FOUND` | there are no documents and nothing was analysed yet | false |
   * | `KYC_PENDING` | the identity verification is not completed | false |
   * | `QUEUED` | the tenant was added and is processed shortly | true |
   *
   * The first row that matches applies. When the analysis completes successfully, the event `FORENSIC_ANALYSIS_DATA` is sent. A flow or an analysis that does not succeed sends no webhook event. Once an analysis has ended, successfully or not, a later call queues the tenant again. Within a minute after a result, a call answers `PENDING`: the tenant is processed at the end of that minute.
   *
   * This `GET` has an effect. Prevent prefetching, link previews and automatic retries.
   */
  runForensic(params: { /** Identifier of the tenant, as shown by a participant's `id`. A UUID may be in lower or upper case. */ tenantId: string }): Promise<Schemas['ForensicEnvelope']> {
    return this.send('GET', '/tenants/run-forensic/{tenantId}', { params });
  }

  /**
   * List accessible workspaces.
   *
   * Lists the workspaces of the authenticated landlord. Requests for a property need their `workspace_id`.
   */
  listWorkspaces(): Promise<Schemas['WorkspacesEnvelope']> {
    return this.send('GET', '/property-management/workspaces', {});
  }

  /**
   * Get a property.
   *
   * Returns one property of a workspace to which the authenticated landlord has access. Identify the workspace by its public UUID, not by an internal database identifier.
   */
  getProperty(params: { /** Unique identifier of the property. A UUID may be in lower or upper case. */ property_id: string; /** Public UUID of the property's workspace, as listed by the workspaces operation. A UUID may be in lower or upper case. */ workspace_id: string }): Promise<Schemas['PropertyEnvelope']> {
    return this.send('GET', '/property-management/properties/{property_id}', { params });
  }

  /**
   * Create a webhook.
   *
   * Registers a URL that receives system events. It must accept `POST`. It receives every event that your API key causes.
   *
   * With a `secret`, each delivery is signed over the exact bytes of its body; the secret itself is never sent. The scheme is Standard Webhooks.
   *
   * Any 2xx answer within 15 seconds acknowledges a delivery; redirects are not followed. Any other outcome is retried at growing intervals over about a day, with the same body and `webhook-id`. Deliveries may arrive twice and in any order.
   */
  createWebhook(body: Schemas['WebhookRegistration']): Promise<Schemas['WebhookEnvelope']> {
    return this.send('POST', '/webhooks/create-webhook', { body });
  }
}
