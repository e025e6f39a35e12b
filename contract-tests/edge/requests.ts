import { connect } from 'node:net';
import { expect } from 'chai';
import type { OperationId } from '../../handlers/handler.ts';
import { basePath, type ContractOperation, operations } from '../../harness/contract/contract.ts';
import { basicOf, type Client, type RawAnswer, send } from '../../harness/service/client.ts';
import { requestFor, type Stage } from '../../harness/service/stage.ts';

export interface JsonSchema {
  $ref?: string;
  type?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
}

interface WithBody {
  operationId: string;
  requestBody?: { content: Record<string, { schema: JsonSchema; examples: Record<string, { value: unknown }> }> };
}

/** An operation with a request that succeeds. */
export interface Sample {
  operation: ContractOperation;
  /** With the base path. */
  path: string;
  /** The contract's first example; undefined when the operation takes no body. */
  body: unknown;
  schema: JsonSchema | undefined;
}

export function samples(stage: Stage): Sample[] {
  return operations.map((operation) => {
    const declared: WithBody = operation;
    const content = declared.requestBody?.content['application/json'];
    const path = `${basePath}${requestFor(operation, 200, stage).path}`;
    return { operation, path, body: Object.values(content?.examples ?? {})[0]?.value, schema: content?.schema };
  });
}

export function samplesWithBody(stage: Stage): Sample[] {
  return samples(stage).filter(({ body }) => body !== undefined);
}

/** The credentials that an operation requires. */
export function credentials({ operationId }: ContractOperation, client: Client): Record<string, string> {
  if (operationId !== 'generateToken') return { authorization: `Bearer ${client.token}` };
  return { authorization: `Basic ${basicOf(client.clientId, client.clientSecret)}` };
}

/** The table without which an operation fails late, after all its checks; others fail with `api_keys`. */
const neededTable: Partial<Record<OperationId, string>> = {
  generateToken: 'api_keys',
  createApplication: 'participants',
  getApplication: 'participants',
  updateParticipant: 'participants',
  removeParticipant: 'payments',
  initiateKyc: 'kyc_verifications',
  initiateEid: 'eid_flows',
  runForensic: 'forensic_runs',
  listWorkspaces: 'workspaces',
  getProperty: 'properties',
  createWebhook: 'webhooks',
};

export function tableOf(operationId: string): string {
  return Object.entries(neededTable).find(([known]) => known === operationId)?.[1] ?? 'api_keys';
}

export const json = { 'content-type': 'application/json' };

/** Sends a request and expects an error in the common envelope. */
export async function refused(
  status: number,
  url: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string | Buffer,
): Promise<RawAnswer> {
  const answer = await send(url, method, path, headers, body);
  expectRefusal(`${method} ${path}`, answer, status);
  return answer;
}

/** Expects the common error envelope as exactly `application/json`, without a body for HEAD. */
export function expectRefusal(what: string, answer: RawAnswer, status: number): void {
  expect(answer.status, `${what}: ${answer.text}`).to.equal(status);
  expect(answer.headers['content-type'], what).to.equal('application/json');
  if (what.startsWith('HEAD ')) return;
  const { status: word, message, errors, ...surplus } = JSON.parse(answer.text);
  expect([word, typeof message, Object.keys(surplus)], what).to.deep.equal(['error', 'string', []]);
  // One sentence, or one for each invalid field.
  expect(message, what)
    .to.match(/[^.][.?]$/)
    .and.not.match(/\.\.(?: |$)/);
  if (errors !== undefined) expect(what).to.include('/property-management/');
}

/**
 * Sends raw bytes over a new connection and reads until the service closes it.
 * @param unread whether it may close before it has read everything
 */
export function exchange(url: string, bytes: string | Buffer, { unread = false } = {}): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      received += text;
    });
    socket.on('error', (error) => !unread && reject(error));
    socket.on('close', () => resolve(received));
  });
}

/** Parses the received bytes, which must be exactly one answer. */
export function onlyAnswer(received: string): RawAnswer {
  const [head = '', ...rest] = received.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const text = rest.join('\r\n\r\n');
  expect(statusLine).to.match(/^HTTP\/1\.1 \d{3} /);
  expect(Buffer.byteLength(text), received).to.equal(Number(headers['content-length']));
  return { status: Number(statusLine.split(' ')[1]), headers, text };
}
