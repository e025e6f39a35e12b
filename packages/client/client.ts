import type { components } from './generated/contract.ts';
import { type Input, Operations } from './generated/operations.ts';

export type Schemas = components['schemas'];

export interface ClientOptions {
  /** Such as `http://127.0.0.1:3000/api/v1`. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** For one request. Default: 30 seconds. */
  timeoutMs?: number;
  /** Takes the place of the global `fetch`, for a proxy or for tests. */
  fetch?: typeof globalThis.fetch;
}

/** A response that is no success. Decide by `status`; `message` is for people. */
export class ScreeningError extends Error {
  override readonly name = 'ScreeningError';
  readonly status: number;
  /** Each offending input, where the service lists them. */
  readonly errors: readonly Schemas['FieldError'][];
  /** Quote it to the operator. */
  readonly requestId: string | undefined;
  /** When to try again, where the service says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, { message, errors = [] }: Partial<Schemas['PropertyManagementError']>) {
    super(message ?? `The server answered ${response.status} without an error message.`);
    this.status = response.status;
    this.errors = errors;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
  }
}

/** A token and when it is replaced. */
interface Token {
  value: Promise<string>;
  until: number;
}

/** A token is replaced this long before it expires. */
const SPARE_MS = 60_000;

/**
 * Calls the API with one API key. It gets access tokens when it needs them. It never repeats a request, except once with a new
 * token after a 401, when the service has not acted on it.
 */
export class ScreeningClient extends Operations {
  readonly #options: ClientOptions;
  #token: Token | undefined;

  constructor(options: ClientOptions) {
    super();
    this.#options = { ...options, baseUrl: options.baseUrl.replace(/\/+$/, '') };
  }

  /** @throws ScreeningError */
  protected async send<Answer>(method: string, path: string, input: Input): Promise<Answer> {
    const token = this.#currentToken();
    const response = await this.#request(method, path, input, `Bearer ${await token.value}`);
    if (response.status !== 401) return answerOf(response);
    await response.body?.cancel();
    // Another call may have replaced it already.
    if (this.#token === token) this.#token = undefined;
    return answerOf(await this.#request(method, path, input, `Bearer ${await this.#currentToken().value}`));
  }

  /** One token for all calls, also while it is on its way. */
  #currentToken(): Token {
    if (this.#token && Date.now() < this.#token.until) return this.#token;
    const token: Token = { value: this.#newToken((until) => (token.until = until)), until: Number.POSITIVE_INFINITY };
    token.value.catch(() => {
      if (this.#token === token) this.#token = undefined;
    });
    this.#token = token;
    return token;
  }

  async #newToken(lasts: (until: number) => void): Promise<string> {
    const { clientId, clientSecret } = this.#options;
    const credentials = btoa(String.fromCharCode(...new TextEncoder().encode(`${clientId}:${clientSecret}`)));
    const response = await this.#request('POST', '/authenticate/token', {}, `Basic ${credentials}`);
    const { data } = await answerOf<Schemas['AccessTokenEnvelope']>(response);
    lasts(Date.now() + data.expires_in * 1000 - SPARE_MS);
    return data.access_token;
  }

  #request(method: string, path: string, { params = {}, body }: Input, authorization: string): Promise<Response> {
    const { baseUrl, timeoutMs = 30_000, fetch = globalThis.fetch } = this.#options;
    const isInPath = (name: string) => path.includes(`{${name}}`);
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const query = new URLSearchParams(Object.entries(params).filter(([name]) => !isInPath(name)));
    return fetch(`${baseUrl}${filled}${query.size > 0 ? `?${query}` : ''}`, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
  }
}

async function answerOf<Answer>(response: Response): Promise<Answer> {
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  throw new ScreeningError(response, errorIn(text));
}

/** The error envelope; empty when a proxy answered with something else. */
function errorIn(text: string): Partial<Schemas['PropertyManagementError']> {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
