import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import jwt from 'jsonwebtoken';
import { isRecord } from '../../core/text.ts';
import type { components } from '../../generated/enable-banking.d.ts';

type Described = components['schemas'];

export const APPLICATION_ID = 'cf589be3-3755-465b-a8df-a90a16a31403';
const DAY_SECONDS = 86_400;
const PAGE = 2;

/** Stands for the faults of a request: a status with a code, no answer at all, or an answer that is no JSON. */
export interface SimulatedRefusal {
  status: number;
  error?: string;
  isGarbage?: true;
}

export interface StandInAccount {
  account: Described['Account'];
  balances: Described['Balance'][];
  transactions: Described['Transaction'][];
}

interface Session {
  isOpen: boolean;
  accounts: string[];
}

/** Implements the part of Enable Banking that the service uses, over HTTP: tokens, consent, codes, sessions, paging, refusals. */
export class BankApiStandIn {
  readonly requests: { method: string; path: string }[] = [];
  readonly sessions = new Map<string, Session>();
  readonly accounts = new Map<string, StandInAccount>();
  readonly privateKey: KeyObject;
  /** Asked at each request; undefined answers normally. */
  refusal: (method: string, path: string) => SimulatedRefusal | undefined = () => undefined;
  /** Asked at each request: it is answered afterwards. */
  held: (path: string) => Promise<void> | undefined = () => undefined;
  /** The oldest day that the bank tells. */
  earliest = '';
  url = '';
  private readonly publicKey: KeyObject;
  private readonly consents = new Map<string, Described['AuthorizationRequest']>();
  private readonly codes = new Map<string, 'fresh' | 'used'>();
  private readonly server = createServer((req, res) => {
    this.serve(req, res).catch(() => res.destroy());
  });

  constructor() {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.privateKey = pair.privateKey;
    this.publicKey = pair.publicKey;
  }

  static async start(): Promise<BankApiStandIn> {
    const standIn = new BankApiStandIn();
    await new Promise<void>((resolve) => standIn.server.listen(0, '127.0.0.1', resolve));
    const address: AddressInfo | string | null = standIn.server.address();
    if (address === null || typeof address === 'string') throw new Error('The stand-in has no port.');
    standIn.url = `http://127.0.0.1:${address.port}`;
    return standIn;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get settings() {
    const { privateKey, url } = this;
    return { applicationId: APPLICATION_ID, privateKey, apiBase: new URL(url), countries: ['ES', 'FI'] };
  }

  /** The environment that points the service at this stand-in. @param keyFile where the private key was written */
  env(keyFile: string): Record<string, string> {
    return {
      BANK_PROVIDER: 'enable-banking',
      BANK_COUNTRIES: 'ES,FI',
      ENABLE_BANKING_APP_ID: APPLICATION_ID,
      ENABLE_BANKING_KEY_FILE: keyFile,
      ENABLE_BANKING_API_BASE: this.url,
    };
  }

  /** What the person does at their bank. @returns the query of the redirect */
  consent(address: string): URLSearchParams {
    const request = this.consents.get(new URL(address).searchParams.get('sessionid') ?? '');
    if (!request) throw new Error('There is no such consent.');
    const code = randomUUID();
    this.codes.set(code, 'fresh');
    return new URLSearchParams({ state: request.state, code });
  }

  get lastRequest(): Described['AuthorizationRequest'] | undefined {
    return [...this.consents.values()].at(-1);
  }

  add(account: Partial<Described['Account']>, transactions: Described['Transaction'][], balance?: string): string {
    const uid = randomUUID();
    const balances = balance === undefined ? [] : [balanceOf('CLBD', balance)];
    this.accounts.set(uid, { account: { uid, currency: 'EUR', ...account }, balances, transactions });
    return uid;
  }

  private async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = req;
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    this.requests.push({ method, path: url });
    const body: unknown = method === 'POST' ? await json(req) : undefined;
    await this.held(url);
    const simulated = this.refusal(method, pathname);
    if (simulated?.status === 0) return void req.socket.destroy();
    if (simulated?.isGarbage) return void res.writeHead(200).end('<html>');
    const { status, ...answer } = simulated
      ? refused(simulated)
      : this.answer(req, method, pathname, searchParams, body);
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer.body));
  }

  private answer(req: IncomingMessage, method: string, path: string, query: URLSearchParams, body: unknown): Answer {
    if (!this.isOurs(req.headers.authorization)) return refused({ status: 401, error: 'UNAUTHORIZED_ACCESS' });
    const [, noun = '', id = '', part = ''] = path.split('/');
    if (noun === 'application') return ok({ name: 'Test', active: true, redirect_urls: [] });
    if (noun === 'aspsps')
      return ok({ aspsps: ['Zeta Bank', 'Alfa Bank'].map((name) => ({ name, country: query.get('country') ?? '' })) });
    if (noun === 'auth' && isConsentRequest(body)) return ok(this.startConsent(body));
    if (noun === 'sessions' && method === 'DELETE') return this.end(id);
    if (noun === 'sessions' && isRecord(body)) return this.open(String(body['code']));
    if (noun === 'accounts') return this.account(id, part, query);
    return refused({ status: 404 });
  }

  private isOurs(authorization = ''): boolean {
    try {
      const token = jwt.verify(authorization.replace('Bearer ', ''), this.publicKey, {
        algorithms: ['RS256'],
        issuer: 'enablebanking.com',
        audience: 'api.enablebanking.com',
        complete: true,
      });
      const { iat = 0, exp = Number.POSITIVE_INFINITY } = typeof token.payload === 'string' ? {} : token.payload;
      return token.header.kid === APPLICATION_ID && exp - iat <= DAY_SECONDS;
    } catch {
      return false;
    }
  }

  private startConsent(request: Described['AuthorizationRequest']) {
    const authorization_id = randomUUID();
    this.consents.set(authorization_id, request);
    return { url: `${this.url}/welcome?sessionid=${authorization_id}`, authorization_id };
  }

  private open(code: string): Answer {
    const state = this.codes.get(code);
    if (!state) return refused({ status: 400, error: 'WRONG_AUTHORIZATION_CODE' });
    if (state === 'used') return refused({ status: 400, error: 'ALREADY_AUTHORIZED' });
    this.codes.set(code, 'used');
    const session_id = randomUUID();
    this.sessions.set(session_id, { isOpen: true, accounts: [...this.accounts.keys()] });
    // As the API does, null stands for what is missing.
    const accounts = [...this.accounts.values()].map(({ account }) => ({ name: null, product: null, ...account }));
    return ok({ session_id, accounts });
  }

  private end(id: string): Answer {
    const session = this.sessions.get(id);
    if (!session) return refused({ status: 404, error: 'SESSION_DOES_NOT_EXIST' });
    if (!session.isOpen) return refused({ status: 401, error: 'CLOSED_SESSION' });
    session.isOpen = false;
    return ok({ message: 'OK' });
  }

  private account(id: string, part: string, query: URLSearchParams): Answer {
    const open = [...this.sessions.values()].some(({ isOpen, accounts }) => isOpen && accounts.includes(id));
    const found = this.accounts.get(id);
    if (!open || !found) return refused({ status: 401, error: 'EXPIRED_SESSION' });
    if (part === 'details') return ok({ ...found.account, uid: null });
    if (part === 'balances') return ok({ balances: found.balances });
    const from = query.get('date_from') ?? this.earliest;
    if (from < this.earliest) return refused({ status: 422, error: 'WRONG_TRANSACTIONS_PERIOD' });
    const told = found.transactions.filter(({ booking_date = '' }) => booking_date === '' || booking_date >= from);
    const start = Number(query.get('continuation_key') ?? 0);
    const next = start + PAGE < told.length ? String(start + PAGE) : null;
    return ok({ transactions: told.slice(start, start + PAGE), continuation_key: next });
  }
}

interface Answer {
  status: number;
  body: object;
}

const ok = (body: object): Answer => ({ status: 200, body });

function refused({ status, error }: SimulatedRefusal): Answer {
  return {
    status,
    body: { code: status, message: 'Refused; a secret-detail is quoted here', ...(error ? { error } : {}) },
  };
}

function balanceOf(balance_type: string, amount: string): Described['Balance'] {
  return { name: 'Booked', balance_type, balance_amount: { amount, currency: 'EUR' } };
}

function isConsentRequest(body: unknown): body is Described['AuthorizationRequest'] {
  return isRecord(body) && ['access', 'aspsp', 'state', 'redirect_url'].every((name) => name in body);
}

/** A booked movement; a negative amount leaves the account. */
export function movement(day: string, amount: number, name: string, text = ''): Described['Transaction'] {
  const isCredit = amount > 0;
  return {
    transaction_amount: { amount: Math.abs(amount).toFixed(2), currency: 'EUR' },
    credit_debit_indicator: isCredit ? 'CRDT' : 'DBIT',
    status: 'BOOK',
    ...(day === '' ? {} : { booking_date: day }),
    ...(isCredit ? { debtor: { name } } : { creditor: { name } }),
    ...(text === '' ? {} : { remittance_information: [text] }),
  };
}
