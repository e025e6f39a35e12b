import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { until } from '../../../harness/process/until.ts';
import { createWorkers, EngineClosed } from '../isolation/workers.ts';

describe('the process that inspected a person’s document', () => {
  const SETTINGS = { heapMib: 64, secondsADocument: 30, keptLanes: 2, waitingMib: 192 };
  const workers = createWorkers(SETTINGS);
  after(() => workers.close());

  /** @returns the process that a document of the person got, which is free again */
  async function serve(person: string, kind: 'pdf' | 'png' = 'pdf') {
    const lane = workers.laneOf(person);
    const taken = await lane.take(kind);
    lane.giveBack(taken);
    return taken.child;
  }

  it('reads their next one of the kind, and no other person’s', async () => {
    const first = await serve('anna');
    expect(await serve('anna')).to.equal(first);
    expect(await serve('anna', 'png')).to.not.equal(first);
    expect(await serve('ben')).to.not.equal(first);
    expect(await serve('anna')).to.equal(first);
  });

  it('reads one document at a time', async () => {
    const lane = workers.laneOf('anna');
    const [one, other] = [await lane.take('pdf'), await lane.take('pdf')];
    expect(one.child).to.not.equal(other.child);
    lane.giveBack(one);
    lane.giveBack(other);
    await other.child.ended;
    expect(await serve('anna')).to.equal(one.child);
  });

  if (process.platform === 'linux')
    it('stands still until then', async () => {
      const stateOf = async (pid: number) => /\) (\w)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8'))?.[1];
      const { pid } = await serve('anna');
      await until('it is stopped', async () => (await stateOf(pid)) === 'T');
      const lane = workers.laneOf('anna');
      const taken = await lane.take('pdf');
      expect(taken.child.pid).to.equal(pid);
      await until('it continues', async () => (await stateOf(pid)) !== 'T');
      lane.giveBack(taken);
    });

  it('is replaced once it has died', async () => {
    const first = await serve('anna');
    first.kill();
    await first.ended;
    expect(await serve('anna')).to.not.equal(first);
  });

  it('ends when others had documents since, at once or with the document that it reads', async () => {
    const idle = await serve('anna');
    const lane = workers.laneOf('ben');
    const busy = await lane.take('pdf');
    await serve('clara');
    await idle.ended;
    await serve('anna');
    lane.giveBack(busy);
    await busy.child.ended;
    expect(await serve('ben')).to.not.equal(busy.child);
  });

  it('ends soon when it holds much memory', async () => {
    const small = createWorkers({ ...SETTINGS, waitingMib: 0 });
    const lane = small.laneOf('anna');
    const taken = await lane.take('pdf');
    lane.giveBack(taken);
    expect(await taken.child.ended).to.deep.equal({ signal: 'SIGKILL' });
    small.close();
  });

  it('ends with the engine, which starts no further one', async () => {
    const first = await serve('anna');
    const [lane, starting] = [workers.laneOf('dora'), workers.laneOf('emil').take('pdf').catch(String)];
    workers.close();
    await first.ended;
    expect(await lane.take('pdf').catch((error) => error)).to.be.instanceOf(EngineClosed);
    expect(await starting).to.equal(String(new EngineClosed()));
  });
});
