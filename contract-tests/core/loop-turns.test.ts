import { setImmediate as nextRound } from 'node:timers/promises';
import { expect } from 'chai';
import { correlated } from '../../core/correlation.ts';
import { atNextRound, loopTurns } from '../../core/loop-turns.ts';
import { type Party, partyOfKey, SERVICE } from '../../core/party.ts';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

describe('turns at the event loop', () => {
  it('end when it has gone round, however many end in a round', async () => {
    const endTurn = atNextRound();
    let ended = 0;
    for (let round = 1; round <= 3; round++) {
      for (let turn = 0; turn < 3; turn++) endTurn(() => ended++);
      expect(ended).to.equal(3 * (round - 1));
      await nextRound();
      expect(ended).to.equal(3 * round);
    }
  });

  it('let some work of a party continue in each round, whatever arrives together, and that of another party at once', async () => {
    const continuing = loopTurns({ atOnce: 64, ofOneParty: 4, ofOnePerson: 4 });
    const went: string[] = [];
    const go = (party: Party) =>
      correlated({ id: 'id', party }, () => continuing.take()).then(() => went.push(party.name));
    const [loud, quiet] = [partyOfKey('loud'), partyOfKey('quiet')];
    const all = Array.from({ length: 10 }, () => go(loud));
    void go(quiet);
    for (const many of [4, 8, 10]) {
      await new Promise((resolve) => process.nextTick(resolve));
      expect(
        went.filter((name) => name === loud.name),
        'of one party',
      ).to.have.length(many);
      expect(went, 'of another party').to.include(quiet.name);
      await nextRound();
    }
    await Promise.all(all);
  });

  it('let the service itself continue at once, however much of it there is', async () => {
    const continuing = loopTurns({ atOnce: 64, ofOneParty: 1, ofOnePerson: 1 });
    let began = 0;
    for (let time = 0; time < 10; time++) continuing.ask(SERVICE, () => began++);
    await Promise.all(Array.from({ length: 10 }, () => continuing.take(SERVICE).then(() => began++)));
    expect(began).to.equal(20);
    const [loud, ...others] = [partyOfKey('loud'), partyOfKey('loud')];
    for (const party of [loud, ...others]) continuing.ask(party, () => began++);
    expect(began, 'one of a party').to.equal(21);
    await nextRound();
    await nextRound();
    expect(began).to.equal(22);
  });
});
