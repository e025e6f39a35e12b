import { expect } from 'chai';
import { readConfig } from '../../core/settings/config.ts';
import { databaseInEncoding, dropDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { query } from '../../harness/database/postgres-server.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { refusedStart } from '../../harness/process/refused-start.ts';
import { Admin } from '../../harness/service/admin.ts';
import { useService } from '../../harness/service/service.ts';

databases('postgres');

for (const encoding of ['LATIN1', 'SQL_ASCII'])
  describe(`a database in ${encoding}`, () => {
    const made = suiteFixture(async () => {
      const url = await databaseInEncoding(encoding);
      return { url, stop: () => dropDatabase(readConfig({ DATABASE_URL: url }).database) };
    });
    const test = useService({ RUN_WORKERS: 'false' });
    const REFUSAL = `has the encoding ${encoding}`;

    it('is refused by a start, by migrate and by the doctor, in one line, and stays empty', async () => {
      for (const program of ['api', 'worker'] as const) {
        const { code, stderr } = await refusedStart(program, { DATABASE_URL: made.url });
        expect(code, stderr).to.equal(1);
        expect(stderr.trim().split('\n')).to.have.lengthOf(1);
        expect(stderr).to.contain(REFUSAL).and.contain("ENCODING 'UTF8'");
      }
      const refusal = await new Admin(test).refused(1, ['db', 'migrate'], { DATABASE_URL: made.url });
      expect(refusal).to.contain(REFUSAL);
      const { stdout, code } = await new Admin(test).run(['doctor', '--json'], { DATABASE_URL: made.url });
      const answers: { check: string; state: string; found: string }[] = JSON.parse(stdout);
      const { state, found } = answers.find(({ check }) => check === 'encoding') ?? expect.fail('not looked at');
      expect(state, 'doctor').to.equal('problem');
      expect(found, 'doctor').to.contain(REFUSAL);
      expect(code, 'doctor').to.equal(1);
      expect(await query(made.url, 'select tablename from pg_tables where schemaname = current_schema()')).to.be.empty;
    });
  });
