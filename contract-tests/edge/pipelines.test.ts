import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { until } from '../../harness/process/until.ts';
import { useService } from '../../harness/service/service.ts';
import { Pipelines } from '../../http/edge/pipelines.ts';
import { exchange } from './requests.ts';

databases('either');

const AT_ONCE = 64;
const MOST = AT_ONCE + 4000;
const MANY = 300;

describe('pipelined requests', () => {
  const test = useService();

  const request = (id: number, headers: string) =>
    `GET ${basePath}/property-management/workspaces HTTP/1.1\r\nHost: api\r\nX-Request-Id: r${id}\r\n${headers}\r\n`;
  const numbered = (count: number, headers = '') =>
    Array.from({ length: count }, (_, id) => request(id, headers)).join('');
  const heads = async (bytes: string, url = test.service.url) =>
    (await exchange(url, bytes, { unread: true })).match(/HTTP\/1\.1 .*?\r\n\r\n/gs);
  const idsOf = (answers: readonly string[] | null) => answers?.map((head) => /X-Request-Id: r(\d+)/.exec(head)?.[1]);
  const expectedIds = (count: number) => Array.from({ length: count }, (_, id) => String(id));
  const ends = (head: string) => head.includes('\r\nConnection: close\r\n');

  it('are answered in order, however many arrive at once', async () => {
    const bearer = `Authorization: Bearer ${test.alice.token}\r\n`;
    const answers = await heads(numbered(MANY, bearer) + request(MANY, `${bearer}Connection: close\r\n`));
    expect(idsOf(answers)).to.deep.equal(expectedIds(MANY + 1));
    expect(answers?.filter((head) => !head.startsWith('HTTP/1.1 200 '))).to.deep.equal([]);
  });

  it(`wait for slow ones ahead, at most ${MOST - AT_ONCE}: the last answer ends the connection`, async () => {
    const slow: ServerResponse[] = [];
    let isSlow = true;
    let read = 0;
    const pipelines = new Pipelines((_req, res) => {
      if (isSlow) slow.push(res);
      else res.end();
    });
    const server = createServer((req, res) => {
      res.setHeader('X-Request-Id', req.headers['x-request-id'] ?? '');
      read += 1;
      pipelines.take(req, res);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const answered = heads(numbered(20 * MOST), `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      await until('more were read than may wait', () => read > MOST);
      expect(slow).to.have.length(AT_ONCE);
      isSlow = false;
      for (const res of slow) res.end();
      const answers = await answered;
      expect(idsOf(answers)).to.deep.equal(expectedIds(MOST));
      expect(answers?.findIndex(ends)).to.equal(MOST - 1);
      expect(read, 'requests that were read').to.be.below(2 * MOST);
    } finally {
      server.close();
    }
  });
});
