import { expect } from 'chai';
import { readConfig } from '../../core/settings/config.ts';
import { preparedDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { type PgBouncer, pgbouncerVersion, startPgbouncer } from '../../harness/database/pgbouncer.ts';
import { query } from '../../harness/database/postgres-server.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { startServiceProcess, startWorkerProcess } from '../../harness/process/process.ts';
import { refusedStart } from '../../harness/process/refused-start.ts';
import { Admin } from '../../harness/service/admin.ts';
import { FaultWorld } from '../../harness/service/fault-world.ts';

databases('postgres');

/** The configuration of an operator who disables the service's limits. */
const IGNORING =
  'ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout,options';
const LIMITS =
  "set statement_timeout = '3600ms'; set lock_timeout = '2s'; set idle_in_transaction_session_timeout = '10s'";
const DEFAULTS = { DATABASE_QUERY_SECONDS: '4', DATABASE_LOCK_SECONDS: '2', DATABASE_IDLE_SECONDS: '10' };
/** Fewer connections than concurrent callers, so that callers share them. */
const FEW = 'default_pool_size = 4';
const CALLS = 60;
/** PgBouncer 1.21. */
const KNOWS_STATEMENTS = 121;

const version = pgbouncerVersion ?? 0;
if (pgbouncerVersion === undefined)
  console.log('Left out: database/pgbouncer. This machine has no PgBouncer; PGBOUNCER_BINARY names one.');
else
  describe(`behind PgBouncer ${version / 100}`, () => {
    const folder = suiteFixture(temporaryFolder);
    const server = () => process.env['TEST_POSTGRES_URL'] ?? '';
    const bouncers: PgBouncer[] = [];
    let direct: string;

    beforeEach(async () => {
      direct = await preparedDatabase(folder.path);
    });
    afterEach(async () => {
      for (const bouncer of bouncers.splice(0)) await bouncer.stop();
    });

    const pooler = async (settings: string[] = [], perConnection = LIMITS) => {
      const bouncer = await startPgbouncer(server(), settings, perConnection);
      bouncers.push(bouncer);
      return bouncer.through(direct);
    };
    const refusal = async (DATABASE_URL: string, DATABASE_SESSION_URL = '') => {
      const env = { DATA_DIR: folder.path, PORT: '0', ...DEFAULTS, DATABASE_URL, DATABASE_SESSION_URL };
      const { code, stderr } = await refusedStart('api', env);
      expect({ code, lines: stderr.split('\n').length }, stderr).to.deep.equal({ code: 1, lines: 2 });
      return stderr;
    };

    const doctor = async (DATABASE_URL: string) => {
      const config = readConfig({ DATA_DIR: folder.path });
      const settings = { ...DEFAULTS, DATABASE_URL, DATABASE_SESSION_URL: direct };
      return (await new Admin({ config, folder: folder.path }, settings).run(['doctor'])).stdout.replace(
        /\n {2,}/g,
        ' ',
      );
    };

    it('a start without an address for sessions is refused, and the message names the setting', async () => {
      expect(await refusal(await pooler())).to.match(/DATABASE_SESSION_URL to Postgres itself/);
      expect(await refusal(await pooler([IGNORING]))).to.match(/DATABASE_SESSION_URL/);
    });

    it('a start is refused when prepared statements are unsupported, and the message names the version', async () => {
      const without = version < KNOWS_STATEMENTS ? [] : ['max_prepared_statements = 0'];
      expect(await refusal(await pooler(without), direct)).to.match(/takes PgBouncer 1\.21 or newer/);
    });

    it('a start in session mode needs no other address', async () => {
      const DATABASE_URL = await pooler(['pool_mode = session', 'default_pool_size = 20', IGNORING]);
      const service = await startServiceProcess({ DATA_DIR: folder.path, ...DEFAULTS, DATABASE_URL });
      expect(await service.stop('SIGINT')).to.equal(0);
    });

    if (version < KNOWS_STATEMENTS) return;

    it('a start is refused while Postgres lacks the limits, and the message shows the statements that help', async () => {
      const told = await refusal(await pooler([], ''), direct);
      const statements = told.match(/alter role [^;]+;/g) ?? [];
      expect(statements).to.have.length(3);
      expect(await doctor(await pooler([], ''))).to.match(/^PROBLEM {2}pooler .*alter role/m);
      for (const statement of statements) await query(server(), statement);
      const pooled = { DATABASE_URL: await pooler([], ''), DATABASE_SESSION_URL: direct };
      const service = await startServiceProcess({ DATA_DIR: folder.path, ...DEFAULTS, ...pooled });
      expect(await service.stop('SIGINT')).to.equal(0);
      expect(await doctor(pooled.DATABASE_URL)).to.match(/^OK {7}pooler /m);
    });

    it('a start is refused when the address for sessions also leads to the pooler', async () => {
      const pooled = await pooler([IGNORING]);
      expect(await refusal(pooled, pooled)).to.match(/DATABASE_SESSION_URL leads to a pooler in transaction mode/);
    });

    it('requests, jobs, commands and a migration work, and a restart of the pooler loses nothing', async () => {
      const database = { DATABASE_URL: await pooler([FEW]), DATABASE_SESSION_URL: direct };
      const world = await FaultWorld.start(database);
      try {
        const worker = await startWorkerProcess({ ...new Admin(world.test).env });
        try {
          expect(await world.calls(CALLS)).to.deep.equal({ reads: [200], creates: [200] });
          await world.serves();
          await bouncers.splice(0)[0]?.stop();
          await world.calls(CALLS);
          await startAgain(database.DATABASE_URL);
          await world.serves();
          await world.expectNothingLost();
        } finally {
          await worker.kill();
        }
        expect(await new Admin(world.test).text('db', 'migrate')).to.match(/up to date/);
        expect(await new Admin(world.test).json('application', 'list')).to.be.an('array').that.is.not.empty;
      } finally {
        await world.stop();
      }
    });

    const startAgain = async (url: string) => {
      const { port } = new URL(url);
      bouncers.push(await startPgbouncer(server(), [FEW], LIMITS, Number(port)));
    };
  });
