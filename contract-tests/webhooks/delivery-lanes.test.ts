import { mock } from 'node:test';
import { expect } from 'chai';
import { deliveryLanes } from '../../bin/service/kinds.ts';
import { partyOfKey } from '../../core/party.ts';
import { databases } from '../../harness/database/dialect.ts';
import type { Ending } from '../../queue/lane-policy.ts';
import { Lanes } from '../../queue/lanes.ts';

databases('none');

const SECOND_MS = 1_000;

/** Each endpoint belongs to another API key, unless the test names one. */
const placeOf = (endpoint: string, key = endpoint) => ({ party: partyOfKey(key), lane: endpoint });

interface Started {
  task: string;
  end(ending: Ending): void;
}

describe('delivery lanes', () => {
  let started: Started[];
  let postponed: { task: string; delayMs: number }[];
  let lanes: Lanes<string>;

  beforeEach(() => {
    // Time passes only when a test says so: a busy machine may stop this process for a while at any point.
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() });
    started = [];
    postponed = [];
    lanes = new Lanes<string>(
      deliveryLanes,
      (task) => new Promise((resolve) => started.push({ task, end: resolve })),
      (task, delayMs) => postponed.push({ task, delayMs }),
      Date.now,
    );
  });
  afterEach(() => mock.timers.reset());

  const add = (endpoint: string, count: number) => {
    for (let index = 0; index < count; index++) lanes.add(placeOf(endpoint), `${endpoint}-${index}`);
  };
  const of = (endpoint: string) => started.filter(({ task }) => task.startsWith(`${endpoint}-`));
  /** Ends the endpoint's attempts until `count` have ended, and waits for the work that this starts. */
  const end = async (endpoint: string, count: number, ending: Ending) => {
    for (let ended = 0; ended < count; ) {
      const running = of(endpoint).slice(0, count - ended);
      expect(running, `attempts of ${endpoint}`).to.not.be.empty;
      started = started.filter((attempt) => !running.includes(attempt));
      for (const attempt of running) attempt.end(ending);
      ended += running.length;
      await new Promise(setImmediate);
    }
  };

  it('start with four concurrent attempts, and add one after each success', async () => {
    add('a', 64);
    expect(of('a')).to.have.length(4);
    await end('a', 4, 'success');
    expect(of('a')).to.have.length(8);
    await end('a', 8, 'success');
    expect(of('a')).to.have.length(16);
  });

  it('reduce concurrency after failures, to one at least', async () => {
    add('a', 64);
    await end('a', 8, 'failure');
    expect(of('a')).to.have.length(1);
    await end('a', 1, 'failure');
    expect(of('a')).to.have.length(1);
  });

  it('learn nothing from an attempt that was not made', async () => {
    add('a', 64);
    await end('a', 8, 'nothing');
    expect(of('a')).to.have.length(4);
  });

  it('take turns', async () => {
    for (const endpoint of ['x', 'y', 'a', 'b']) await settle(endpoint, 60);
    for (const endpoint of ['x', 'y']) add(endpoint, 64);
    add('a', 10);
    add('b', 10);
    await end('x', 12, 'success');
    for (const endpoint of ['a', 'b']) expect(of(endpoint).length, endpoint).to.be.above(1);
  });

  /** Brings a lane to full concurrency and trust. */
  const settle = async (endpoint: string, successes: number) => {
    for (let index = 0; index < successes; index++) {
      add(endpoint, 1);
      await end(endpoint, 1, 'success');
    }
  };

  it('keep half of the slots for endpoints that succeed, however many others there are', async () => {
    await settle('good', 60);
    for (let index = 0; index < 50; index++) add(`new${index}`, 4);
    const doubtful = started.length;
    expect(doubtful).to.equal(64);
    add('good', 100);
    expect(of('good')).to.have.length(64);
  });

  it('give the slot of an attempt that lasts longer than a second to others', () => {
    for (let index = 0; index < 32; index++) add(`hanging${index}`, 4);
    mock.timers.tick(SECOND_MS - 1);
    expect(started).to.have.length(64);
    mock.timers.tick(1);
    // The last one is kept for another API key.
    expect(started).to.have.length(127);
    add('new', 1);
    expect(started).to.have.length(128);
  });

  it('no longer trust an endpoint that has not answered for a second', async () => {
    await settle('a', 60);
    add('a', 4);
    for (let index = 0; index < 200; index++) add(`new${index}`, 4);
    const begun = started.length;
    mock.timers.tick(SECOND_MS);
    expect(started.length, 'the slots of the first were given to others').to.be.above(begun);
    add('a', 1);
    expect(of('a')).to.have.length(4);
  });

  it('give the slot of an attempt that throws to the next', async () => {
    const tried: string[] = [];
    const throwing = new Lanes<string>(
      deliveryLanes,
      async (task) => {
        tried.push(task);
        throw new Error('not made');
      },
      () => {},
    );
    const endpoints = Array.from({ length: 200 }, (_, index) => `a${index}`);
    for (const endpoint of endpoints) for (const _ of Array(10)) throwing.add(placeOf(endpoint), endpoint);
    for (let before = -1; before < tried.length; await new Promise(setImmediate)) before = tried.length;
    expect(tried).to.have.length(2_000);
    expect(throwing.clear()).to.be.empty;
  });

  it('hold a bounded number in all, half of it for endpoints that do not succeed', async () => {
    const waiting = () => lanes.clear().length;
    for (let index = 0; index < 10; index++) add(`new${index}`, 4 + 500);
    expect(waiting()).to.be.within(2_000, 2_010);
    for (let index = 0; index < 10; index++) await settle(`good${index}`, 10);
    for (let index = 0; index < 10; index++) add(`good${index}`, 20 + 500);
    expect(waiting()).to.be.within(4_000, 4_010);
  });

  it('postpone what does not fit, each for longer than the one before, and never for more than five minutes', () => {
    add('a', 4 + 500 + 20_000);
    expect(postponed).to.have.length(20_000);
    const delays = postponed.map(({ delayMs }) => delayMs);
    expect(delays[0]).to.be.at.least(1_000);
    const [early, late] = [delays.slice(0, 500), delays.slice(-500)];
    expect(early).to.deep.equal(early.toSorted((a, b) => a - b));
    expect(Math.max(...delays)).to.be.at.most(300_000);
    expect(Math.min(...late)).to.be.at.least(150_000);
  });

  it('postpone a burst to an endpoint that answers promptly for no longer than it takes', async () => {
    await settle('quick', 60);
    add('quick', 64 + 500 + 5_000);
    expect(Math.max(...postponed.map(({ delayMs }) => delayMs))).to.be.below(10_000);
  });

  it('postpone what no longer fits when an endpoint begins to fail', async () => {
    await settle('a', 60);
    add('a', 64 + 500);
    expect(postponed).to.be.empty;
    await end('a', 64, 'failure');
    const left = lanes.clear();
    expect(of('a')).to.have.length(1);
    expect(1 + left.length + postponed.length).to.equal(500);
    expect(left.length).to.be.at.most(16);
  });

  it('keep room for endpoints that succeed when the others have filled theirs', async () => {
    await settle('good', 10);
    for (let index = 0; index < 10; index++) add(`new${index}`, 504);
    expect(postponed.length).to.be.above(0);
    postponed = [];
    add('good', 100);
    expect(postponed).to.be.empty;
  });

  it('keep some slots for new endpoints, however busy the others are', async () => {
    for (const endpoint of ['x', 'y']) await settle(endpoint, 60);
    for (const endpoint of ['x', 'y']) add(endpoint, 64 + 400);
    add('new', 1);
    expect(of('new')).to.have.length(1);
  });

  it('give the deliveries of another API key their turn, however many endpoints of one key hang or fail', async () => {
    for (let index = 0; index < 980; index++) {
      const endpoint = `hanging${index}`;
      for (let count = 0; count < 10; count++) lanes.add(placeOf(endpoint, 'loud'), `${endpoint}-${count}`);
    }
    mock.timers.tick(SECOND_MS);
    postponed = [];
    add('new', 4);
    await settle('good', 4);
    add('good', 8);
    expect(of('new')).to.have.length(4);
    expect(of('good')).to.have.length(8);
    expect(postponed).to.be.empty;
  });

  it('always have room for one delivery to an endpoint with nothing waiting', () => {
    for (let index = 0; index < 4; index++) add(`hanging${index}`, 504);
    for (let index = 0; index < 60; index++) add(`full${index}`, 4);
    postponed = [];
    add('new', 1);
    expect(postponed).to.be.empty;
  });

  it('drop bookings from when an endpoint hung, once it has recovered', async () => {
    add('a', 4 + 500 + 50_000);
    await end('a', 504, 'success');
    await settle('a', 60);
    postponed = [];
    add('a', 64 + 500 + 100);
    expect(postponed).to.have.length(100);
    expect(Math.max(...postponed.map(({ delayMs }) => delayMs))).to.be.below(5_000);
  });

  it('release waiting deliveries', () => {
    add('a', 6);
    add('b', 5);
    expect(lanes.clear()).to.deep.equal(['a-4', 'a-5', 'b-4']);
    expect(lanes.clear()).to.be.empty;
  });
});
