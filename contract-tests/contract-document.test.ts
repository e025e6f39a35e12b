import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { checkSchema } from './harness/contract.ts';

interface Referable {
  $ref?: string;
}

interface Content {
  schema?: object;
  examples?: Record<string, Referable & { summary?: string; value?: unknown }>;
}

interface Body extends Referable {
  required?: boolean;
  headers?: Record<string, Referable>;
  content?: Record<string, Content>;
}

interface Parameter extends Referable {
  name: string;
  in: string;
  description?: string;
  schema: object;
  example?: unknown;
}

interface Operation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body>;
  callbacks?: Record<string, Record<string, { post: Operation }>>;
}

const file = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const contract = parse(file('openapi.yaml'));
const paths: Record<string, Record<string, Operation>> = contract.paths;
const operations = Object.values(paths).flatMap((item) => Object.values(item));
const callbacks = operations.flatMap(({ callbacks = {} }) =>
  Object.entries(callbacks).map(([name, expressions]) => ({ name, expressions })),
);
const events = callbacks.flatMap(({ expressions }) => Object.values(expressions).map(({ post }) => post));

/** What a reference stands for; anything else stands for itself. */
function resolved<Part extends Referable>(part: Part): Part {
  const [, ...keys] = part.$ref?.split('/') ?? [];
  return keys.reduce((value, key) => value[key], keys.length > 0 ? contract : part);
}

describe('openapi.yaml', () => {
  it('is OpenAPI 3.0.3, the newest version that Dredd reads', () => {
    expect(contract.openapi).to.equal('3.0.3');
  });

  it('has a live and a sandbox server that share the version prefix', () => {
    const servers: { url: string; description: string }[] = contract.servers;
    expect(servers.map(({ description }) => description.split(/\W/, 1)[0])).to.deep.equal(['Live', 'Sandbox']);
    expect(servers.map(({ url }) => new URL(url).pathname)).to.deep.equal(['/api/v1', '/api/v1']);
    expect(new Set(servers.map(({ url }) => url)).size).to.equal(2);
  });

  it('names every operation once, in camel case, and says what it is, where it belongs and who may call it', () => {
    const tags: { name: string; description: string }[] = contract.tags;
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).to.equal(operations.length);
    for (const { operationId, tags: used, summary, description, security } of operations) {
      expect(operationId).to.match(/^[a-z]+([A-Z][a-z]+)+$/);
      expect(used, operationId).to.have.lengthOf(1);
      expect(
        tags.map(({ name }) => name),
        operationId,
      ).to.include.members(used ?? []);
      for (const text of [summary, description]) expect(text, operationId).to.be.a('string').that.is.not.empty;
      const schemes = (security ?? []).flatMap((requirement) => Object.keys(requirement));
      expect(schemes, operationId).to.deep.equal([
        operationId === 'generateToken' ? 'clientCredentials' : 'accessToken',
      ]);
    }
  });

  it('has a named example with a summary for every request, every answer and every event, valid by its schema', () => {
    for (const { operationId, summary, requestBody, responses } of [...operations, ...events]) {
      const isEvent = events.some((event) => event.summary === summary);
      const bodies = [...(requestBody ? [requestBody] : []), ...(isEvent ? [] : Object.values(responses))].map(
        resolved,
      );
      for (const { content = {} } of bodies) {
        expect(Object.keys(content), `${operationId ?? summary}`).to.deep.equal(['application/json']);
        for (const { schema, examples = {} } of Object.values(content)) {
          expect(Object.keys(examples), `${operationId ?? summary}`).not.to.be.empty;
          for (const [name, example] of Object.entries(examples)) {
            const { summary: title, value } = resolved(example);
            expect(title, name).to.be.a('string').that.is.not.empty;
            checkSchema(`${operationId ?? summary} ${name}`, schema ?? {}, value);
          }
        }
      }
    }
  });

  it('requires every request body that it has', () => {
    for (const { operationId, requestBody } of operations)
      if (requestBody) expect(requestBody.required, operationId).to.equal(true);
  });

  it('describes every parameter, with an example that is valid by its schema', () => {
    for (const { operationId, parameters = [] } of [...operations, ...events])
      for (const { name, description, schema, example } of parameters.map(resolved)) {
        expect(description, name).to.be.a('string').that.is.not.empty;
        checkSchema(`${operationId} ${name}`, schema, example);
      }
  });

  it('declares X-Request-Id on every answer and WWW-Authenticate on every 401', () => {
    for (const { operationId, responses } of operations) {
      expect(responses, operationId).to.include.keys('200', '401', '500');
      for (const [status, response] of Object.entries(responses)) {
        const headers = Object.keys(resolved(response).headers ?? {});
        expect(headers, `${operationId} ${status}`).to.include('X-Request-Id');
        expect(headers.includes('WWW-Authenticate'), `${operationId} ${status}`).to.equal(status === '401');
      }
    }
  });

  it('has a callback for each event, which carries the signature headers to the registered address', () => {
    expect(callbacks.map(({ name }) => name)).to.have.members([
      'EID_SUCCESS',
      'KYC_VERIFICATION_DATA',
      'FORENSIC_ANALYSIS_DATA',
    ]);
    for (const { name, expressions } of callbacks)
      for (const [address, { post }] of Object.entries(expressions)) {
        expect(address, name).to.equal('{$request.body#/url}');
        const headers = (post.parameters ?? []).map(resolved).map((header) => `${header.in} ${header.name}`);
        const signature = ['header webhook-id', 'header webhook-timestamp', 'header webhook-signature'];
        expect(headers, name).to.have.members(signature);
      }
  });
});

describe('docs/open-points.md', () => {
  const [inContract = [], outside = []] = file('docs/open-points.md')
    .split(/^## .*$/m)
    .slice(1)
    .map(rowsOf);
  const idsOf = (rows: string[][]) => rows.map(([id = '']) => id);

  it('has a row for every open point that the contract marks, and for no other', () => {
    expect(idsOf(inContract)).to.have.members([...new Set(marks(contract))]);
  });

  it('keeps apart what was decided outside the contract', () => {
    expect(outside).not.to.be.empty;
    expect(marks(contract)).not.to.include.members(idsOf(outside));
  });

  it('tells of each what is open, the choice, why, and a file that exists', () => {
    for (const [id = '', ...cells] of [...inContract, ...outside]) {
      expect(id).to.match(/^[a-z]+(-[a-z]+)*$/);
      expect(
        cells.filter((cell) => cell !== ''),
        id,
      ).to.have.lengthOf(4);
      expect(existsSync(new URL(`../${cells.at(-1)}`, import.meta.url)), `${id}: ${cells.at(-1)}`).to.equal(true);
    }
  });
});

/** The cells of a table's rows, without the marks of code around the first and the last. */
function rowsOf(section: string): string[][] {
  const lines = section.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) =>
    line.split(' | ').map((cell) => cell.replaceAll(/^[|\s]+|[|\s]+$/g, '').replaceAll(/^`|`$/g, '')),
  );
}

/** Every `x-open-point` below a value, in the order of the document. */
function marks(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === 'x-open-point' ? [child].flat().map(String) : marks(child),
  );
}
