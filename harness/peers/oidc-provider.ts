import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Provider from 'oidc-provider';
import { keepIn, type OidcMemory } from './oidc-memory.ts';

export type Endpoint = 'discovery' | 'auth' | 'token' | 'userinfo' | 'jwks' | 'attachments' | 'interaction';
/** How an endpoint fails: with an answer, without one, or with one that never ends. */
type Fault = 'unavailable' | 'reset' | 'hang';

export interface Person {
  /** The assurance level, `acr` of OpenID Connect. */
  level: string;
  claims: Record<string, unknown>;
}

interface SigningKey {
  kid: string;
  privateKey: KeyObject;
}

const endpoints: Record<string, Endpoint> = {
  '.well-known': 'discovery',
  auth: 'auth',
  token: 'token',
  me: 'userinfo',
  jwks: 'jwks',
  attachments: 'attachments',
  interaction: 'interaction',
};

/** A certified OpenID Connect provider on its own port, with one confidential client; people sign in by a form. */
export class OidcProvider {
  readonly clientId = 'screening';
  readonly clientSecret = 'the-secret-of-the-client-at-its-provider';
  /** The accounts, by login. */
  readonly people = new Map<string, Person>();
  readonly attachments = new Map<string, Buffer>();
  readonly faults = new Map<Endpoint, Fault>();
  /** Every request that reached an endpoint, with the Authorization it brought. */
  readonly requests: { endpoint: Endpoint; authorization: string | undefined }[] = [];
  /** Answers that replace those of endpoints. */
  readonly alterations = new Map<
    Endpoint,
    (body: Record<string, unknown>) => Record<string, unknown> | Promise<Record<string, unknown>>
  >();
  issuer = '';
  private callbackUrl = 'https://unregistered.example/';
  private key = newKey();
  private readonly memory: OidcMemory = new Map();
  private provider: Provider | undefined;
  private readonly server = createServer((req, res) => {
    this.serve(req, res).catch(() => res.destroy());
  });

  static async start(callbackUrl?: string): Promise<OidcProvider> {
    const started = new OidcProvider();
    await new Promise<void>((resolve) => started.server.listen(0, '127.0.0.1', resolve));
    const { port } = started.server.address() as AddressInfo;
    started.issuer = `http://127.0.0.1:${port}`;
    started.register(callbackUrl ?? started.callbackUrl);
    return started;
  }

  /** The settings of a service that trusts this provider. */
  env(): Record<string, string> {
    return {
      EID_PROVIDER: 'oidc',
      EID_ISSUER: this.issuer,
      EID_CLIENT_ID: this.clientId,
      EID_CLIENT_SECRET: this.clientSecret,
    };
  }

  /** From now on the client's people are redirected to this address. */
  register(callbackUrl: string): void {
    this.callbackUrl = callbackUrl;
    this.build();
  }

  /** Signs with a new key from now on, and publishes only that one; sessions and codes remain valid. */
  rotateKey(): void {
    this.key = newKey();
    this.build();
  }

  /** An ID token with changed claims, signed as by the provider itself or by a key that is not its own. */
  resign(idToken: unknown, claims: Record<string, unknown>, foreignKey = false): string {
    const { kid, privateKey } = this.key;
    const key = foreignKey ? newKey().privateKey : privateKey;
    const payload = {
      ...JSON.parse(Buffer.from(String(idToken).split('.')[1] ?? '', 'base64url').toString()),
      ...claims,
    };
    const signed = [{ alg: 'ES256', kid }, payload].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const signature = sign('sha256', Buffer.from(signed.join('.')), { key, dsaEncoding: 'ieee-p1363' });
    return [...signed, signature.toString('base64url')].join('.');
  }

  /** Serves bytes to requests with a valid token. @returns the reference that claims carry */
  attach(name: string, content: Buffer): { url: string; digest: { alg: string; value: string } } {
    this.attachments.set(name, content);
    const value = createHash('sha512').update(content).digest('base64');
    return { url: `${this.issuer}/attachments/${name}`, digest: { alg: 'sha-512', value } };
  }

  count(endpoint: Endpoint): number {
    return this.requests.filter((request) => request.endpoint === endpoint).length;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private build(): void {
    const { kid, privateKey } = this.key;
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: this.clientId,
          client_secret: this.clientSecret,
          redirect_uris: [this.callbackUrl],
          response_types: ['code'],
          grant_types: ['authorization_code'],
          id_token_signed_response_alg: 'ES256',
        },
      ],
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }] },
      adapter: keepIn(this.memory),
      ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 3600, Session: 3600 },
      cookies: { keys: ['of-this-test-provider'] },
      pkce: { required: () => true },
      acrValues: ['low', 'substantial', 'high'],
      scopes: ['openid', 'profile', 'email'],
      claims: {
        profile: ['name', 'given_name', 'family_name', 'birthdate', 'verified_claims'],
        email: ['email'],
      },
      features: { devInteractions: { enabled: false } },
      findAccount: (_ctx, login) => {
        const person = this.people.get(login);
        return person && { accountId: login, claims: () => ({ sub: login, ...person.claims }) };
      },
    });
    provider.use(async (ctx, next) => {
      await next();
      const endpoint = endpointOf(ctx.path);
      const alter = endpoint && this.alterations.get(endpoint);
      if (alter && ctx.status === 200) ctx.body = await alter(Object(ctx.body));
    });
    this.provider = provider;
  }

  private async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { url = '' } = req;
    const endpoint = endpointOf(url);
    if (endpoint) this.requests.push({ endpoint, authorization: req.headers.authorization });
    const fault = endpoint && this.faults.get(endpoint);
    if (fault === 'hang') return;
    if (fault === 'reset') res.destroy();
    else if (fault) res.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Closed for maintenance</h1>');
    else if (endpoint === 'attachments') this.handOut(url.split('/').at(-1) ?? '', req, res);
    else if (endpoint === 'interaction') await this.interact(req, res);
    else await this.provider?.callback()(req, res);
  }

  private handOut(name: string, req: IncomingMessage, res: ServerResponse): void {
    const content = this.attachments.get(name);
    if (name === 'moved') res.writeHead(302, { location: '/attachments/card' }).end();
    else if (content && req.headers.authorization) res.writeHead(200, { 'content-type': 'image/png' }).end(content);
    else res.writeHead(content ? 401 : 404).end();
  }

  /** Shows the sign-in form, and processes its submission. */
  private async interact(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (!this.provider) return;
    if (req.method === 'GET') {
      const form =
        '<form method="post"><input name="login"><button>Sign in</button><button name="no">No</button></form>';
      res.writeHead(200, { 'content-type': 'text/html' }).end(form);
      return;
    }
    const filledIn = new URLSearchParams(await text(req));
    const login = filledIn.get('login') ?? '';
    const person = this.people.get(login);
    if (!person) {
      const error = filledIn.get('no') ?? 'access_denied';
      return this.provider.interactionFinished(req, res, { error, error_description: `${login} said no` });
    }
    const grant = new this.provider.Grant({ accountId: login, clientId: this.clientId });
    grant.addOIDCScope('openid profile email');
    const consent = { grantId: await grant.save() };
    await this.provider.interactionFinished(req, res, { login: { accountId: login, acr: person.level }, consent });
  }
}

function endpointOf(path: string): Endpoint | undefined {
  return endpoints[path.split(/[/?]/, 2)[1] ?? ''];
}

function newKey(): SigningKey {
  return { kid: randomUUID(), privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey };
}
