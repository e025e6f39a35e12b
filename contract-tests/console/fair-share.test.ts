import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { csrfIn } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { until } from '../../harness/process/until.ts';
import { useService } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { addDocuments, storingDocuments } from '../../jobs/documents/add-document.ts';
import { CONSOLE, consoleUrl, OperatorBrowser } from './operators.ts';

databases('either');

/** Under way at once, each begun again when it is answered. */
const FLOOD = 200;
const PAGE = '/deliveries';

/** Counts instead of times: who is answered before whom. */
describe('an operator who has many pages under way', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });

  it('leaves another operator and every landlord their turns', async () => {
    const loud = await OperatorBrowser.signIn(test, 'operator');
    const quiet = await OperatorBrowser.signIn(test, 'viewer');
    const [cookie] = loud.browser.cookies.get(new URL(consoleUrl(test)).origin) ?? [];
    const headers = { cookie: `console=${cookie?.value}` };
    let [answered, isOver] = [0, false];
    const statuses = new Set<number>();
    const again = async () => {
      do {
        const { status, body } = await fetch(`${consoleUrl(test)}${PAGE}`, { headers });
        await body?.cancel();
        statuses.add(status);
        answered++;
      } while (!isOver);
    };
    const others = async () => {
      expect((await quiet.open(PAGE)).status).to.equal(200);
      expect((await test.charlie.call('listWorkspaces')).status).to.equal(200);
      const tenants = [{ email: `new-${answered}@mail.example`, is_lead: true }];
      expect((await test.charlie.call('createApplication', { body: { title: 'Quiet', tenants } })).status).to.equal(
        200,
      );
    };
    const flood = Array.from({ length: FLOOD }, again);
    // Connections are accepted in the order in which they arrive.
    await others();
    const before = answered;
    await others();
    isOver = true;
    const meanwhile = answered - before;
    await Promise.all(flood);
    expect(meanwhile, 'pages answered while the others waited').to.be.below(FLOOD);
    expect([...statuses].filter((status) => ![200, 503].includes(status))).to.deep.equal([]);
  });
});

describe('an operator who exports data of people and reads none of it', () => {
  /** More than the kernel buffers of a connection. */
  const SIZE = 12 * 1024 * 1024;
  const EXPORTS = 5;
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false', DOCUMENT_LIMIT_MIB: '25' });
  const open = new Set<Socket>();
  afterEach(() => {
    for (const socket of open) socket.destroy();
  });

  /** A person with a document that no reader takes at once. */
  const largePerson = async () => {
    const { runtime } = test.service;
    const { id } = await test.tenant('large@mail.example', { of: test.alice });
    const document = { name: 'long.pdf', content: Readable.from([randomBytes(SIZE)]) };
    await storingDocuments(runtime, [document], async (trx, stored) =>
      addDocuments(trx, runtime.queue, await ofTheirKey(trx, id), stored, 'operator', new Date()),
    );
    return id;
  };
  const exportFor = async (operator: OperatorBrowser, who: string) => {
    const csrf = csrfIn((await operator.open('/')).text);
    const [cookie] = operator.browser.cookies.get(new URL(operator.base).origin) ?? [];
    return {
      headers: { cookie: `console=${cookie?.value}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams({ csrf, who })),
    };
  };

  it('leaves another operator theirs', async () => {
    const who = await largePerson();
    const stalled = await exportFor(await OperatorBrowser.signIn(test, 'operator'), who);
    const other = await exportFor(await OperatorBrowser.signIn(test, 'operator'), who);
    const { host, hostname, port } = new URL(consoleUrl(test));
    let begun = 0;
    for (let number = 0; number < EXPORTS; number++) {
      const socket = connect(Number(port), hostname).on('error', () => {});
      open.add(socket);
      socket.once('readable', () => begun++);
      const given = { host, ...stalled.headers, 'content-length': stalled.body.length };
      const head = Object.entries(given).map(([name, value]) => `${name}: ${value}`);
      socket.write(['POST /console/privacy/export HTTP/1.1', ...head, '', stalled.body].join('\r\n'));
    }
    await until('two of them have begun', () => begun === 2);
    const answer = await fetch(`${consoleUrl(test)}/privacy/export`, { method: 'POST', ...other });
    expect(answer.status).to.equal(200);
    expect((await answer.arrayBuffer()).byteLength).to.be.above(SIZE);
    expect(begun, 'exports of the one who does not read').to.equal(2);
  });
});
