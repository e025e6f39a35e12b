import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import Stripe from 'stripe';
import type { StripeSettings } from '../../core/settings/kyc-settings.ts';
import { type RawAnswer, send } from './client.ts';

export const SECRET_KEY = 'sk_test_standInForStripe';
export const WEBHOOK_SECRET = 'whsec_standInForStripe';
const SESSIONS = '/v1/identity/verification_sessions';
const WORKING_MS = 20;

/** A verification session as Stripe's API shows it, in the package's version. */
export interface StandInSession {
  id: string;
  object: 'identity.verification_session';
  client_reference_id: string | null;
  status: string;
  url: string | null;
  return_url: string | null;
  last_error: { code: string | null; reason: string | null } | null;
  last_verification_report: object | null;
  redaction: { status: string } | null;
  metadata: Record<string, string>;
}

interface StandInRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** The fields of the form or, for a GET, of the query. */
  fields: Record<string, string>;
}

/** Faults of a request: Stripe fails, is overloaded, is silent, is down, or did the work but its answer got lost. */
export type SimulatedFailure = 'failure' | 'kept failure' | 'busy' | 'silence' | 'reset' | 'lost answer';

interface Answer {
  status: number;
  body: object;
}

/** Implements the part of Stripe's Identity API that the service uses, over actual HTTP: keys, forms, idempotency, expansion, failures. */
export class StripeStandIn {
  readonly requests: StandInRequest[] = [];
  readonly sessions = new Map<string, StandInSession>();
  /** Asked at each request. */
  simulatedFailure: () => SimulatedFailure | undefined = () => undefined;
  url = '';
  private readonly remembered = new Map<string, { form: string; answer: Answer }>();
  private readonly inFlight = new Set<string>();
  private readonly server = createServer((req, res) => {
    this.serve(req, res).catch(() => res.destroy());
  });

  static async start(): Promise<StripeStandIn> {
    const standIn = new StripeStandIn();
    await new Promise<void>((resolve) => standIn.server.listen(0, '127.0.0.1', resolve));
    standIn.url = `http://127.0.0.1:${(standIn.server.address() as AddressInfo).port}`;
    return standIn;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** The environment that points the service at this stand-in. */
  get env(): Record<string, string> {
    return {
      KYC_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: this.url,
    };
  }

  get settings(): StripeSettings {
    return { secretKey: SECRET_KEY, webhookSecrets: [WEBHOOK_SECRET], apiBase: new URL(this.url) };
  }

  /** The only session. */
  get session(): StandInSession {
    const [session, ...others] = this.sessions.values();
    if (!session || others.length > 0) throw new Error(`There are ${this.sessions.size} sessions.`);
    return session;
  }

  created(): StandInRequest[] {
    return this.requests.filter(({ method }) => method === 'POST');
  }

  private async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname: path, search } = new URL(req.url ?? '', this.url);
    const form = req.method === 'POST' ? await text(req) : search;
    const fields = Object.fromEntries(new URLSearchParams(form));
    this.requests.push({ method: req.method ?? '', path, headers: req.headers, fields });
    const simulatedFailure = this.simulatedFailure();
    if (simulatedFailure === 'silence') return;
    const answer =
      simulatedFailure === 'reset' ? undefined : await this.answer(simulatedFailure, req, path, form, fields);
    if (!answer || simulatedFailure === 'lost answer') {
      req.socket.resetAndDestroy();
      return;
    }
    const head = { 'Content-Type': 'application/json', 'Request-Id': `req_${randomUUID()}` };
    res.writeHead(answer.status, head).end(JSON.stringify(answer.body));
  }

  private async answer(
    simulatedFailure: SimulatedFailure | undefined,
    req: IncomingMessage,
    path: string,
    form: string,
    fields: Record<string, string>,
  ): Promise<Answer> {
    if (simulatedFailure === 'failure') return failure(500, { type: 'api_error', message: `Broken: ${form}` });
    if (simulatedFailure === 'busy') return failure(429, { type: 'invalid_request_error', code: 'rate_limit' });
    if (req.headers.authorization !== `Bearer ${SECRET_KEY}`)
      return failure(401, { type: 'invalid_request_error', message: `Invalid API Key: ${req.headers.authorization}` });
    const key = String(req.headers['idempotency-key']);
    if (simulatedFailure === 'kept failure')
      this.remembered.set(key, { form, answer: failure(500, { type: 'api_error' }) });
    if (req.method === 'POST' && path === SESSIONS) return this.once(key, form, () => this.create(fields));
    if (req.method === 'GET' && path === SESSIONS) return { status: 200, body: this.listed(fields) };
    const session = this.sessions.get(path.slice(SESSIONS.length + 1));
    if (req.method === 'GET' && session) return { status: 200, body: shown(session, fields, this.url) };
    const message = `No such session: ${path}`;
    return failure(404, { type: 'invalid_request_error', code: 'resource_missing', param: 'id', message });
  }

  private listed({ limit }: Record<string, string>): object {
    const data = [...this.sessions.values()].slice(0, Number(limit)).map((session) => shown(session, {}, this.url));
    return { object: 'list', url: SESSIONS, has_more: false, data };
  }

  /** Idempotency as in https://docs.stripe.com/api/idempotent_requests. */
  private async once(key: string, form: string, work: () => Answer): Promise<Answer> {
    const before = this.remembered.get(key);
    if (before) return before.form === form ? before.answer : failure(400, { type: 'idempotency_error' });
    if (this.inFlight.has(key)) return failure(409, { type: 'invalid_request_error', code: 'idempotency_key_in_use' });
    this.inFlight.add(key);
    // Long enough for concurrent requests to overlap.
    await wait(WORKING_MS);
    const answer = work();
    if (answer.status === 200) this.remembered.set(key, { form, answer });
    this.inFlight.delete(key);
    return answer;
  }

  private create(fields: Record<string, string>): Answer {
    if ((fields['type'] === undefined) === (fields['verification_flow'] === undefined))
      return failure(400, { type: 'invalid_request_error', param: 'type' });
    const session: StandInSession = {
      id: `vs_${randomUUID().replaceAll('-', '')}`,
      object: 'identity.verification_session',
      client_reference_id: fields['client_reference_id'] ?? null,
      status: 'requires_input',
      url: null,
      return_url: fields['return_url'] ?? null,
      last_error: null,
      last_verification_report: null,
      redaction: null,
      metadata: { tenant_id: fields['metadata[tenant_id]'] ?? '' },
    };
    this.sessions.set(session.id, session);
    return { status: 200, body: shown(session, {}, this.url) };
  }
}

/** The address is new each time and present only while something must be submitted; the report is present when requested. */
function shown(session: StandInSession, fields: Record<string, string>, base: string): object {
  const url = session.status === 'requires_input' ? `${base}/start/${randomUUID()}` : null;
  const expanded = Object.values(fields).includes('last_verification_report');
  const report = session.last_verification_report;
  return { ...session, url, last_verification_report: expanded ? report : report && 'vr_1' };
}

function failure(status: number, error: { type: string; code?: string; param?: string; message?: string }): Answer {
  return { status, body: { error } };
}

/** An event about a session, as its endpoint gets it. */
export function eventAbout(session: object, type: string): string {
  return JSON.stringify({ id: `evt_${randomUUID()}`, object: 'event', type, data: { object: session } }, null, 2);
}

/** @param timestamp when it was signed, in seconds since the epoch */
export function signatureOf(payload: string, secret = WEBHOOK_SECRET, timestamp = Date.now() / 1000): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
}

/** Sends a message to the service as Stripe does. */
export function deliver(serviceUrl: string, body: string, signature = signatureOf(body)): Promise<RawAnswer> {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature };
  return send(serviceUrl, 'POST', '/providers/kyc', headers, body);
}
