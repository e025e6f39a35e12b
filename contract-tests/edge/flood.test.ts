import { connect } from 'node:net';
import { expect } from 'chai';
import { preparedDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { fewestSent, type Watch } from '../../harness/plans/watch.ts';
import { watchPostgres } from '../../harness/plans/watch-postgres.ts';
import { watchSqlite } from '../../harness/plans/watch-sqlite.ts';
import { basicOf } from '../../harness/service/client.ts';
import { startTestService } from '../../harness/service/service.ts';

databases('either');

const REQUESTS = 200;
/** The service's own queries during the test. */
const OWN = 2;
/** Requests that begin together share a statement: twelve of one path (`http/edge/admission.ts`), sometimes fewer. */
const MOST = REQUESTS / 10;
const STATUS_LINE = /HTTP\/1\.1 4\d\d /g;
const LINK = '6f0f2a4e-7f51-4f0e-9a67-5b1e8d4c9a10.abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq';
const WORKSPACES = '/api/v1/property-management/workspaces';

function request(line: string, ...headers: string[]): string {
  return [`${line} HTTP/1.1`, 'Host: api', ...headers, '', ''].join('\r\n');
}

const unlooked: Record<string, string> = {
  'without a token': request(`GET ${WORKSPACES}`),
  'with a forged token': request(`GET ${WORKSPACES}`, 'Authorization: Bearer a.b.c'),
  'without a client_id': request('POST /api/v1/authenticate/token', 'Content-Length: 0'),
  'for an unknown path': request('GET /nothing'),
  'with an unknown method': request(`PUT ${WORKSPACES}`),
  'for an unknown KYC link': request(`GET /verify/kyc/${LINK}`),
  'for an unknown eID link': request(`GET /verify/eid/${LINK}`),
  'in the name of a provider': request('POST /providers/kyc', 'Content-Length: 0'),
};
const looked: Record<string, string> = {
  'for a link that was cut off': request(`GET /invitation/${LINK.slice(0, 40)}`),
  'with an unknown client_id': request(
    'POST /api/v1/authenticate/token',
    `Authorization: Basic ${basicOf('nothing', 'wrong')}`,
    'Content-Length: 0',
  ),
  'for an unknown invitation': request(`GET /invitation/${LINK}`),
  'for an unknown onboarding link': request(`GET /onboarding/${LINK}`),
};

/** Sends the request many times in one write. @returns when all were refused */
function flood(url: string, text: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answers = '';
    const socket = connect(Number(port), hostname).setEncoding('latin1').on('error', reject);
    const refused = () => answers.match(STATUS_LINE)?.length ?? 0;
    socket.on('data', (part: string) => {
      answers += part;
      if (refused() === REQUESTS) socket.destroy();
    });
    socket.on('close', () => (refused() === REQUESTS ? resolve() : reject(new Error(`Only ${refused()} answers.`))));
    socket.write(text.repeat(REQUESTS));
  });
}

describe(`${REQUESTS} unauthenticated pipelined requests`, () => {
  const folder = suiteFixture(temporaryFolder);
  let watch: Watch;
  const test = suiteFixture(async () => {
    const DATABASE_URL = await preparedDatabase(folder.path);
    watch = DATABASE_URL.startsWith('sqlite:')
      ? watchSqlite(DATABASE_URL.slice('sqlite:'.length))
      : await watchPostgres(DATABASE_URL);
    return startTestService({ DATABASE_URL, RUN_WORKERS: 'false' });
  });
  after(() => watch.end());

  const sentIn = (what: string, text: string, enough: number) =>
    fewestSent(watch, what, enough, () => flood(test.service.url, text));
  for (const [what, text] of Object.entries(unlooked))
    it(`${what} cause no look-up`, async () => {
      expect(await sentIn(what, text, OWN)).to.be.at.most(OWN);
    });
  for (const [what, text] of Object.entries(looked))
    it(`${what} share their look-ups`, async () => {
      expect(await sentIn(what, text, MOST)).to.be.within(1, MOST);
    });
});
