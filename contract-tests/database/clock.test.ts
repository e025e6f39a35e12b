import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createLog } from '../../core/log.ts';
import { readConfig } from '../../core/settings/config.ts';
import { clockOf } from '../../db/connection/clock.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { preparedDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';

databases('both');

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

describe('the clock that processes share', () => {
  const rightNow = Date.now;
  let folder: string;
  let db: Database;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'screening-clock-'));
    db = await connect(readConfig({ DATA_DIR: folder, DATABASE_URL: await preparedDatabase(folder) }).database);
  });
  afterEach(() => {
    Date.now = rightNow;
  });
  after(async () => {
    await disconnect(db);
    await rm(folder, { recursive: true, force: true });
  });

  /** The deviation from a wall clock that was never stepped, in milliseconds. */
  async function errorOf(stepsMs: { before: number; after: number }): Promise<number> {
    Date.now = () => rightNow() + stepsMs.before;
    const clock = await clockOf(db, createLog('silent'));
    Date.now = () => rightNow() + stepsMs.after;
    const error = Math.abs(clock.now().getTime() - rightNow());
    await clock.stop();
    return error;
  }

  it('is right even when this process’s wall clock is wrong', async () => {
    expect(await errorOf({ before: HOUR_MS, after: HOUR_MS })).to.be.below(MINUTE_MS);
  });

  it('stays right when this process’s wall clock steps, without asking the database again', async () => {
    expect(await errorOf({ before: 0, after: HOUR_MS })).to.be.below(MINUTE_MS);
    expect(await errorOf({ before: -HOUR_MS, after: HOUR_MS })).to.be.below(MINUTE_MS);
  });
});
