import { execFileSync } from 'node:child_process';
import { mock } from 'node:test';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { partyOfAddress } from '../../core/addresses/client-address.ts';
import { correlated, correlationId, currentParty, refuseWaits } from '../../core/correlation.ts';
import { Overloaded } from '../../core/errors.ts';
import { type End, FairTurns, refusals, type TurnLimits } from '../../core/fair-turns.ts';
import { type Party, partyOfKey } from '../../core/party.ts';
import { databases } from '../../harness/database/dialect.ts';
import { collectGarbage } from '../../harness/process/collect-garbage.ts';

databases('none');

/** Turns whose ends and durations the test decides. */
class Stage {
  readonly begun: string[] = [];
  nowMs = 0;
  readonly #turns: FairTurns;
  readonly #ends = new Map<string, () => void>();

  constructor(limits: TurnLimits) {
    this.#turns = new FairTurns(limits, () => this.nowMs);
  }

  ask(party: Party, name: string): Promise<unknown> {
    return this.#turns.run(() => {
      this.begun.push(name);
      return new Promise<void>((resolve) => this.#ends.set(name, resolve));
    }, party);
  }

  /** Ends a turn; the next one has begun afterwards. */
  async end(name: string): Promise<void> {
    this.#ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const [loud, quiet] = [partyOfKey('loud'), partyOfKey('quiet')];
const many = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

describe('turns of parties at a resource', () => {
  it('leave room for another party, however many turns one party asks for', async () => {
    const stage = new Stage({ atOnce: 4, ofOneParty: 2 });
    for (const name of many(100)) void stage.ask(loud, `loud ${name}`);
    void stage.ask(quiet, 'quiet');
    await stage.end('');
    expect(stage.begun).to.deep.equal(['loud 0', 'loud 1', 'quiet']);
  });

  it('leave room for another party, however many persons of one party ask', async () => {
    const stage = new Stage({ atOnce: 6, ofOneParty: 2 });
    for (const name of many(5)) void stage.ask(partyOfKey('loud', name), name);
    void stage.ask(quiet, 'quiet');
    expect(stage.begun).to.deep.equal(['0', '1', 'quiet']);
  });

  it('keep the last free one for a party that has none', async () => {
    const stage = new Stage({ atOnce: 3, ofOneParty: 2 });
    for (const party of [loud, loud, quiet, quiet]) void stage.ask(party, party.name);
    void stage.ask(partyOfKey('new'), 'new');
    expect(stage.begun).to.deep.equal(['key loud', 'key loud', 'key quiet']);
    await stage.end('key quiet');
    expect(stage.begun.at(-1)).to.equal('new');
  });

  it('go to the party that was served least, not to the longest queue', async () => {
    const stage = new Stage({ atOnce: 1, ofOneParty: 1 });
    for (const name of many(50)) void stage.ask(loud, `loud ${name}`);
    for (const name of many(2)) void stage.ask(quiet, `quiet ${name}`);
    for (let turns = 0; turns < 8; turns++) await stage.end(stage.begun.at(-1) ?? '');
    expect(stage.begun.filter((name) => name.startsWith('quiet'))).to.have.length(2);
  });

  it('let a person wait behind their own turns only, not behind those of another person of the same key', async () => {
    const stage = new Stage({ atOnce: 5, ofOneParty: 4 });
    for (const name of many(100)) void stage.ask(partyOfKey('one', 'loud person'), `loud ${name}`);
    void stage.ask(partyOfKey('one', 'quiet person'), 'quiet person');
    void stage.ask(partyOfKey('one'), 'the integrator');
    await stage.end('');
    expect(stage.begun).to.deep.equal(['loud 0', 'loud 1', 'quiet person', 'the integrator']);
  });

  it('give a party no credit for the time in which it asked for none', async () => {
    const stage = new Stage({ atOnce: 1, ofOneParty: 1 });
    void stage.ask(quiet, 'first');
    await stage.end('first');
    for (const name of many(20)) void stage.ask(loud, `loud ${name}`);
    for (let turns = 0; turns < 5; turns++) await stage.end(stage.begun.at(-1) ?? '');
    for (const name of many(20)) void stage.ask(quiet, `quiet ${name}`);
    const from = stage.begun.length;
    for (let turns = 0; turns < 10; turns++) await stage.end(stage.begun.at(-1) ?? '');
    expect(stage.begun.slice(from).filter((name) => name.startsWith('loud'))).to.not.be.empty;
  });

  it('are refused when too many of the party wait, and only those of that party', async () => {
    const stage = new Stage({ atOnce: 1, ofOneParty: 1, waits: { at: 'reads', maxWaiting: 3, waitMs: 10_000 } });
    const asked = many(10).map((name) => stage.ask(loud, name).catch((error: Error) => error));
    const refused = await Promise.all(asked.slice(4));
    for (const error of refused) expect(error).to.be.instanceOf(Overloaded);
    void stage.ask(quiet, 'quiet');
    await stage.end('0');
    await stage.end(stage.begun.at(-1) ?? '');
    expect(stage.begun).to.include('quiet');
  });

  it('are refused after too long a wait, and then no longer count as waiting', async () => {
    const stage = new Stage({ atOnce: 1, ofOneParty: 1, waits: { at: 'reads', maxWaiting: 3, waitMs: 10 } });
    void stage.ask(loud, 'hanging');
    const late = await stage.ask(loud, 'late').catch((error: Error) => error);
    expect(late).to.be.instanceOf(Overloaded);
    await stage.end('hanging');
    expect(stage.begun).to.deep.equal(['hanging']);
    void stage.ask(loud, 'next');
    expect(stage.begun).to.deep.equal(['hanging', 'next']);
  });

  it('are counted when they are refused', async () => {
    const stage = new Stage({ atOnce: 1, ofOneParty: 1, waits: { at: 'copies', maxWaiting: 1, waitMs: 10 } });
    const before = refusals.copies;
    void stage.ask(loud, 'hanging');
    const [late, toomany] = ['late', 'too many'].map((name) => stage.ask(loud, name).catch((error: Error) => error));
    expect([await late, await toomany].map((error) => error instanceof Overloaded)).to.deep.equal([true, true]);
    expect(refusals.copies - before).to.equal(2);
  });

  it('are not refused to a party for long because one of its turns lasted long', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const stage = new Stage({ atOnce: 1, ofOneParty: 1, waits: { at: 'reads', maxWaiting: 1_000, waitMs: 400 } });
      const pass = (ms: number) => {
        stage.nowMs += ms;
        mock.timers.tick(ms);
      };
      void stage.ask(loud, 'long');
      pass(900);
      let turns = 0;
      const others = [quiet, partyOfKey('another'), partyOfKey('third')];
      const other = () => Promise.all(others.map((party) => stage.ask(party, `turn ${turns++}`).catch(() => {})));
      void other();
      void stage.ask(loud, 'again').catch(() => {});
      await stage.end('long');
      for (let passed = 0; passed < 400 && !stage.begun.includes('again'); passed += 10) {
        void other();
        pass(10);
        await stage.end(stage.begun.at(-1) ?? '');
      }
      expect(stage.begun).to.include('again');
    } finally {
      mock.timers.reset();
    }
  });

  it('begin in their order after the process was stopped for longer than they may wait', async () => {
    const stage = new Stage({ atOnce: 1, ofOneParty: 1, waits: { at: 'reads', maxWaiting: 1_000, waitMs: 2_000 } });
    void stage.ask(loud, 'under way');
    const asked = stage.ask(quiet, 'waiting').catch((error: Error) => error);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_100);
    await new Promise((resolve) => setTimeout(resolve, 0));
    await stage.end('under way');
    await stage.end('waiting');
    expect(await asked).to.not.be.instanceOf(Overloaded);
    expect(stage.begun).to.deep.equal(['under way', 'waiting']);
  });

  it('are ended by their work’s failure, and by nothing twice', async () => {
    const turns = new FairTurns({ atOnce: 1, ofOneParty: 1 });
    const failed = turns
      .run(() => Promise.reject(new Error('on purpose')), loud)
      .catch((error: Error) => error.message);
    expect(await failed).to.equal('on purpose');
    const end = await turns.wait(loud);
    expect(turns.begin(quiet)).to.equal(undefined);
    end();
    end();
    const next = turns.begin(quiet);
    expect(next).to.be.a('function');
    expect(turns.begin(loud), 'a place that was ended twice is one place').to.equal(undefined);
  });

  it('begin, and are refused, in the context of their caller, not of the party that ends the turn before', async () => {
    const turns = new FairTurns({ atOnce: 1, ofOneParty: 1, waits: { at: 'reads', maxWaiting: 3, waitMs: 10_000 } });
    const context = () => `${correlationId()} for ${currentParty().name}`;
    const [mine, another] = [
      { id: 'mine', party: quiet },
      { id: 'another', party: loud },
    ];
    const asked = () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const begin = (end: End) => {
        resolve(`begun: ${context()}`);
        end();
      };
      correlated(mine, () => turns.ask(quiet, begin, () => resolve(`refused: ${context()}`)));
      return promise;
    };
    const end = await turns.wait(loud);
    const refused = asked();
    correlated(another, () => refuseWaits(mine));
    const begun = asked();
    correlated(another, end);
    expect([await refused, await begun]).to.deep.equal(['refused: mine for key quiet', 'begun: mine for key quiet']);
  });

  it('may end as soon as they begin, thousands in a row', () => {
    const turns = new FairTurns({ atOnce: 1, ofOneParty: 1 });
    let begun = 0;
    const [first] = [turns.begin(loud)];
    for (const _ of many(15_000))
      turns.ask(loud, (end) => {
        begun++;
        end();
      });
    first?.();
    expect(begun).to.equal(15_000);
  });

  it('keep their limits when thousands of parties come and go', async () => {
    const stage = new Stage({ atOnce: 2, ofOneParty: 1 });
    void stage.ask(loud, 'hanging');
    for (const name of many(5_000)) {
      void stage.ask(partyOfAddress(name), name);
      await stage.end(name);
    }
    void stage.ask(loud, 'second');
    expect(stage.begun).to.have.length(5_001).and.not.include('second');
  });

  it('leave nothing of their callers to the next full garbage collection', async () => {
    const turns = new FairTurns({ atOnce: 1, ofOneParty: 1 });
    const held = () => {
      // What survives the first is old after the second.
      for (let time = 0; time < 2; time++) collectGarbage({ type: 'minor' });
      return process.memoryUsage().heapUsed;
    };
    const wait = () => {
      const body = new Array(1_000).fill(0);
      const inTurnOf = async () => void body.fill(1);
      return correlated({ id: 'id', party: loud, inTurnOf }, () => turns.run(async () => {}));
    };
    const before = held();
    for (let round = 0; round < 100; round++) await Promise.all(Array.from({ length: 20 }, wait));
    expect((held() - before) / 2_000, 'bytes of each').to.be.below(2_000);
  });

  it('remember no party while none is under way, and 1,000 at most in a few hundred bytes each beside one that is', () => {
    // A process of its own: here, what other tests leave behind is collected meanwhile.
    const program = fileURLToPath(new URL('idle-parties.fixture.ts', import.meta.url));
    const { beside, afterwards, hasWaiters } = JSON.parse(
      execFileSync(process.execPath, ['--expose-gc', program], { encoding: 'utf8' }),
    );
    expect(beside, 'bytes of each, while one is under way').to.be.within(100, 400);
    expect(afterwards, 'bytes of each, after it').to.be.below(50);
    expect(hasWaiters).to.equal(false);
  });
});
