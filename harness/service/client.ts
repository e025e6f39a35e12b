import { globalAgent, request } from 'node:http';
import { expect } from 'chai';
import type { operations } from '../../generated/openapi.d.ts';
import type { OperationId, Request } from '../../handlers/handler.ts';
import { basePath, checkAnswer, operationById, operationOf } from '../contract/contract.ts';
import { described } from '../process/failures.ts';

export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

interface RawRequest {
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** The parts of a request; parts that the operation does not take are omitted. */
export type Input<Op extends OperationId> = Partial<Request<Op>>;

type Success<Op extends OperationId> = operations[Op]['responses'][200]['content']['application/json'];

export interface Refusal {
  status: 'error';
  message: string;
  errors?: { field: string; message: string }[];
}

/** Calls the service as one API key would. Every answer is checked strictly against the contract. */
export class Client {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  token: string | undefined;

  constructor(url: string, clientId: string, clientSecret: string) {
    this.url = url;
    this.clientId = clientId;
    this.clientSecret = clientSecret;
  }

  /** Gets a fresh token and uses it from now on. */
  async authenticate(): Promise<string> {
    const { access_token } = (await this.ok('generateToken')).data;
    this.token = access_token;
    return access_token;
  }

  /** Calls an operation that must succeed, and returns its declared body. */
  async ok<Op extends OperationId>(operation: Op, input: Input<Op> = {}): Promise<Success<Op>> {
    const answer = await this.call(operation, input);
    expect(answer.status, described(answer)).to.equal(200);
    return JSON.parse(answer.text);
  }

  /** Calls an operation that must be refused with this status, and returns the error body. */
  async refused<Op extends OperationId>(operation: Op, status: number, input: Input<Op> = {}): Promise<Refusal> {
    const answer = await this.call(operation, input);
    expect(answer.status, described(answer)).to.equal(status);
    return JSON.parse(answer.text);
  }

  call<Op extends OperationId>(operation: Op, input: Input<Op> = {}): Promise<RawAnswer> {
    const { method, template } = operationById(operation);
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(Object.entries(input.params ?? {}).find(([key]) => key === name)?.[1])),
    );
    const query = new URLSearchParams(
      Object.entries(input.query ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
    );
    const target = query.size > 0 ? `${path}?${query}` : path;
    return this.raw(method, target, {
      headers: { ...this.authorization(operation), 'content-type': 'application/json' },
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    });
  }

  private authorization(operation: OperationId): Record<string, string> {
    if (operation === 'generateToken') {
      return { authorization: `Basic ${basicOf(this.clientId, this.clientSecret)}` };
    }
    return this.token === undefined ? {} : { authorization: `Bearer ${this.token}` };
  }

  /** Any request below the base path, byte for byte as given. */
  raw(method: string, path: string, { headers = {}, body }: RawRequest = {}): Promise<RawAnswer> {
    return send(this.url, method, `${basePath}${path}`, headers, body);
  }
}

/** Credentials as HTTP Basic encodes them. */
export function basicOf(clientId: string, clientSecret: string): string {
  return Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
}

/** Sends a request unchanged and checks the answer of any declared operation strictly against the contract. */
export async function send(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string | Buffer,
): Promise<RawAnswer> {
  const answer = await exchange(url, method, path, headers, body);
  const operation = path.startsWith(basePath) ? operationOf(method, path.slice(basePath.length)) : undefined;
  if (operation) checkAnswer(operation, answer.status, String(answer.headers['content-type'] ?? ''), answer.text);
  return answer;
}

/** Closes the connections that earlier requests left open. A service that stops would wait a second for their next ones. */
export function hangUp(url: string): void {
  const { hostname, port } = new URL(url);
  for (const socket of globalAgent.freeSockets[globalAgent.getName({ host: hostname, port: Number(port) })] ?? [])
    socket.destroy();
}

/** `fetch` would normalize the path. */
function exchange(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | Buffer | undefined,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = request({ hostname, port, method, path, headers: { ...length, ...headers } }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
