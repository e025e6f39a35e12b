import { expect } from 'chai';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { type RawAnswer, send } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';
import { exchange, onlyAnswer } from './requests.ts';

databases('either');

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const workspaces = `${basePath}/property-management/workspaces`;

describe('X-Request-Id', () => {
  const test = useService();

  const ask = (method: string, path: string, headers: Record<string, string> = {}): Promise<RawAnswer> =>
    send(test.service.url, method, path, { authorization: `Bearer ${test.alice.token}`, ...headers });

  it('is on every answer, whatever its status, and never repeats', async () => {
    const answers = await Promise.all([
      ask('GET', workspaces),
      ask('GET', workspaces),
      ask('GET', workspaces, { authorization: 'Bearer nonsense' }),
      ask('GET', `${basePath}/applications/%zz`),
      ask('POST', `${basePath}/webhooks/create-webhook`),
      ask('GET', `${basePath}/applications/absent`),
      ask('GET', '/nothing'),
      ask('PUT', workspaces),
      ask('HEAD', workspaces),
    ]);
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 401, 400, 400, 404, 404, 405, 405]);
    for (const { headers } of answers) expect(headers['x-request-id']).to.match(UUID);
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).to.equal(answers.length);
  });

  for (const id of ['a', 'case-8121_b.c', '0b6f2f43-6f0b-4b8f-9c0f-5a4f2b1d7e90', 'a'.repeat(64)])
    it(`is the caller's when well-formed: ${id.slice(0, 40)}`, async () => {
      const answer = await ask('GET', workspaces, { 'x-request-id': id });
      expect(answer.headers['x-request-id']).to.equal(id);
    });

  for (const id of ['', 'a'.repeat(65), 'a b', 'a,b', 'a;b', '{"a":1}', 'é', '<script>', '../../etc', 'a=b', '%0d%0a'])
    it(`is generated when the caller's is malformed: ${id.slice(0, 40)}`, async () => {
      const answer = await ask('GET', workspaces, { 'x-request-id': id });
      expect(answer.headers['x-request-id']).to.match(UUID);
    });

  it('is generated when the caller sends two or a tab', async () => {
    for (const lines of ['X-Request-Id: a\r\nX-Request-Id: b\r\n', 'X-Request-Id: a\tb\r\n']) {
      const bytes = `GET ${workspaces} HTTP/1.1\r\nHost: api\r\nConnection: close\r\n${lines}\r\n`;
      expect(onlyAnswer(await exchange(test.service.url, bytes)).headers['x-request-id']).to.match(UUID);
    }
  });
});
