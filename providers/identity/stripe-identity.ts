import type Stripe from 'stripe';
import { hostOf } from '../../core/addresses/caller-address.ts';
import { ProviderUnavailable } from '../../core/errors.ts';
import { memoized } from '../../core/memoized.ts';
import type { StripeSettings } from '../../core/settings/kyc-settings.ts';
import { isRecord } from '../../core/text.ts';
import { HOUR_MS } from '../../core/time.ts';
import { providerAgents } from '../outbound/connections.ts';
import { ForgedMessage, type IdentityFlow, type KycOutcome, type KycProvider, type ProviderMessage } from './port.ts';
import { verdictOf } from './stripe-verdict.ts';

type Session = Stripe.Identity.VerificationSession;

const TIMEOUT_MS = 10_000;
const RETRIES = 1;
/** Stripe replays its response to an idempotency key for a day, even a failure. */
const KEY_MS = HOUR_MS;
/** Stripe sends every change at once; polling only recovers lost messages. */
const POLL_MS = 300_000;
const FLOW_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Verification by Stripe Identity: one verification session per flow, created idempotently, with the flow's id as reference. `memory`
 * is the session's id. Stripe gets neither name nor e-mail address.
 * Source: https://docs.stripe.com/identity
 */
export function createStripeIdentity(settings: StripeSettings, timeoutMs: number = TIMEOUT_MS): KycProvider {
  const connected = memoized(() => connect(settings, timeoutMs));
  const sessions = async () => (await connected()).identity.verificationSessions;
  return {
    name: 'stripe',
    isMetered: true,
    async start(flow, returnUrl) {
      if (flow.memory !== null) return flow.memory;
      const check = settings.verificationFlow
        ? { verification_flow: settings.verificationFlow }
        : { type: 'document' as const };
      const reference = { client_reference_id: flow.id, metadata: { tenant_id: flow.tenant.id } };
      const session = await answered(
        (await sessions()).create(
          { ...check, ...reference, return_url: returnUrl },
          { idempotencyKey: idempotencyKey(flow) },
        ),
      );
      return session.id;
    },
    async address(flow) {
      if (flow.memory === null) throw new ProviderUnavailable('The verification was not started at Stripe yet.');
      const session = await answered((await sessions()).retrieve(flow.memory));
      return checkReference(session, flow).url;
    },
    async receive(message) {
      const subject = subjectOf(openMessage(await connected(), message, settings.webhookSecrets));
      if (subject['object'] !== 'identity.verification_session') return undefined;
      const reference = subject['client_reference_id'];
      return typeof reference === 'string' && FLOW_ID.test(reference) ? reference : undefined;
    },
    async outcome(flow) {
      if (flow.memory === null) return { state: 'pending' };
      const session = await answered(
        (await sessions()).retrieve(flow.memory, { expand: ['last_verification_report'] }),
      );
      return outcomeOf(checkReference(session, flow));
    },
    pollMs: () => POLL_MS,
    check: async () => void (await answered((await sessions()).list({ limit: 1 }))),
  };
}

function idempotencyKey({ id, startedAt }: IdentityFlow): string {
  // Tolerates clock skew: `startedAt` may come from another machine.
  const hour = Math.max(0, Math.floor((Date.now() - startedAt.getTime()) / KEY_MS));
  return `kyc-${id}-${hour}`;
}

/** Loaded lazily, because the package would slow down the start. */
async function connect({ secretKey, apiBase }: StripeSettings, timeout: number): Promise<Stripe> {
  const { default: Stripe } = await import('stripe');
  const agents = providerAgents(timeout);
  return new Stripe(secretKey, {
    host: hostOf(apiBase),
    ...(apiBase.port ? { port: apiBase.port } : {}),
    protocol: apiBase.protocol === 'http:' ? 'http' : 'https',
    apiVersion: Stripe.API_VERSION,
    timeout,
    maxNetworkRetries: RETRIES,
    httpClient: Stripe.createNodeHttpClient(apiBase.protocol === 'http:' ? agents.http : agents.https),
    telemetry: false,
  });
}

/** Accepts only the session created for this flow. */
function checkReference(session: Session, flow: IdentityFlow): Session {
  if (session.client_reference_id !== flow.id)
    throw new Error('The verification session at Stripe is of another flow.');
  return session;
}

function outcomeOf(session: Session): KycOutcome {
  if (session.redaction) return { state: 'failed', reason: 'The verification was erased at Stripe.' };
  switch (session.status) {
    case 'verified':
      return { state: 'verified', result: resultOf(session) };
    case 'canceled':
      return { state: 'failed', reason: 'The verification was canceled at Stripe.' };
    case 'requires_input':
      return session.last_error ? verdictOf(session.last_error) : { state: 'pending' };
    case 'processing':
      return { state: 'pending', handedIn: true };
    default:
      return { state: 'pending' };
  }
}

/** Data minimization: no document number, image, address or date of birth leaves Stripe. */
function resultOf({ id, last_verification_report: report }: Session): Record<string, unknown> {
  const document = report !== null && typeof report === 'object' ? report.document : undefined;
  const name = [document?.first_name, document?.last_name].filter(Boolean).join(' ');
  return {
    provider: 'stripe',
    result: 'verified',
    verification_session: id,
    ...(document?.type ? { document_type: document.type } : {}),
    ...(document?.issuing_country ? { issuing_country: document.issuing_country } : {}),
    ...(name ? { name } : {}),
  };
}

/** Verifies the signature over the exact bytes with each configured secret. @throws ForgedMessage */
function openMessage(stripe: Stripe, { headers, body }: ProviderMessage, secrets: readonly string[]): unknown {
  const signature = String(headers['stripe-signature'] ?? '');
  for (const secret of secrets) {
    try {
      return stripe.webhooks.constructEvent(body, signature, secret);
    } catch {
      // Try the next secret. The package's error contains the message and is dropped.
    }
  }
  throw new ForgedMessage('The signature does not fit, or is too old.');
}

/** What an event is about. A signature vouches for the sender, not for the shape. @throws ForgedMessage when it is no event */
function subjectOf(event: unknown): Record<string, unknown> {
  const data = isRecord(event) ? event['data'] : undefined;
  const subject = isRecord(data) ? data['object'] : undefined;
  if (!isRecord(subject)) throw new ForgedMessage('The message is not an event.');
  return subject;
}

/**
 * The package's errors contain headers, bodies and quoted parameters, such as the person's link. Passes on only what Stripe's support
 * asks for.
 * @throws ProviderUnavailable
 */
async function answered<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    const { default: Stripe } = await import('stripe');
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { type, code, param, statusCode, requestId, detail } = error;
    const reason = detail instanceof Error && 'code' in detail ? detail.code : undefined;
    throw new ProviderUnavailable(
      ['Stripe did not answer:', type, statusCode, code, param, reason, requestId].filter(Boolean).join(' '),
    );
  }
}
