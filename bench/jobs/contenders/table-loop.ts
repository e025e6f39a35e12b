import Sqlite from 'better-sqlite3';
import { readConfig } from '../../../core/settings/config.ts';
import type { Open } from '../contender.ts';

const AT_ONCE = 256;

/** The simplest queue in a SQLite table: no lease, no heartbeat, no retry, no deduplication. */
export const tableLoop: Open = async (databaseUrl) => {
  const { database } = readConfig({ DATABASE_URL: databaseUrl });
  if (database.dialect !== 'sqlite') throw new Error('The plain loop is for SQLite.');
  const db = new Sqlite(database.file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.exec(
    'create table if not exists plain_jobs (id integer primary key, work_id text not null, taken integer not null)',
  );
  const insert = db.prepare('insert into plain_jobs (work_id, taken) values (?, 0)');
  const take = db.prepare<[number], { id: number; work_id: string }>(
    'update plain_jobs set taken = 1 where id in (select id from plain_jobs where taken = 0 order by id limit ?) returning *',
  );
  const end = db.prepare<[number], void>('delete from plain_jobs where id = ?');
  const left = db.prepare('select 1 from plain_jobs');
  let run: ((id: string) => void) | undefined;
  const loop = (): void => {
    const jobs = run ? take.all(AT_ONCE) : [];
    for (const { work_id } of jobs) run?.(work_id);
    db.transaction(() => {
      for (const { id } of jobs) end.run(id);
    })();
    if (jobs.length > 0) setImmediate(loop);
  };
  return {
    send: async (ids) => {
      db.transaction(() => {
        for (const id of ids) insert.run(id);
      })();
      setImmediate(loop);
    },
    work: async (work) => {
      run = work;
      loop();
    },
    isIdle: async () => left.get() === undefined,
  };
};
