import { setTimeout as wait } from 'node:timers/promises';
import { signatureHeaders } from '@tenant-screening/webhook-tools/signatures';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { freePort } from '../../harness/process/running-server.ts';
import { eventually } from '../../harness/process/signals.ts';
import { readOptions } from '../../packages/webhook-tools/listen/options.ts';
import { TRICKS, trickNames } from '../../packages/webhook-tools/listen/tricks.ts';
import { blocksOf, blockUnder, readGuide } from '../guides/guide.ts';
import { Reader } from '../guides/reader.ts';
import { type Came, type Demo, Gullible, type Line, type Listening, startDemo } from './listening.ts';

databases('either', 'nightly');

const GUIDE = 'testing-receivers.md';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** Long enough for deliveries sent too early to overlap. */
const ANSWERS_AFTER_MS = 200;
const ROOT = new URL('../../', import.meta.url).pathname;

describe('npm run listen --chaos', () => {
  let demo: Demo;
  let reader: Reader;
  before(async () => {
    demo = await startDemo();
    reader = await Reader.create();
  });
  after(async () => {
    await reader.stop();
    await demo.stop();
  });

  const optionsFor = (url: string) => ['--secret', SECRET, '--timeout', '45', '--json', '--forward-to', url];
  const disturb = (url: string, ...args: string[]): Listening => demo.listen(...optionsFor(url), '--trigger', ...args);
  const rowsOf = (listening: Listening): Record<string, [sent: number, held: number]> => {
    const [summary] = listening.lines('summary');
    const rows = Array.isArray(summary?.['rows']) ? summary['rows'] : [];
    return Object.fromEntries(rows.map(({ trick, sent, held }) => [trick, [sent, held]]));
  };

  const receivers: Record<string, () => Promise<string[]>> = {
    'examples/webhook-receiver.ts': async () => [`${ROOT}examples/webhook-receiver.ts`],
    'the receiver for Node of the guide to webhooks': async () => [`${ROOT}examples/receivers/receiver.mjs`],
  };
  for (const [name, program] of Object.entries(receivers))
    it(`is passed by ${name}, trick by trick`, async () => {
      const { port, printed } = await reader.serve(await program(), { WEBHOOK_SECRET: SECRET });
      const options = [...optionsFor(`http://127.0.0.1:${port}/hook`), '--trigger', '--chaos', '--for', '3'];
      const listening = demo.listenToAnalysis(...options);
      expect(await listening.end(), listening.printed).to.equal(0);
      const rows = rowsOf(listening);
      expect(Object.keys(rows)).to.deep.equal(['genuine', ...trickNames]);
      for (const [trick, [sent, held]] of Object.entries(rows))
        expect({ trick, sent }).to.deep.equal({ trick, sent: held });
      const unplayed = trickNames.filter((trick) => rows[trick]?.[0] === 0);
      expect(unplayed.filter((trick) => trick !== 'reorder')).to.deep.equal([]);
      // On a slow machine, the command triggers a second verification.
      const deliveries = listening.lines('delivery').filter(({ event }) => event === 'KYC_VERIFICATION_DATA');
      const ids = new Set(deliveries.map(({ delivery_id }) => delivery_id));
      const worked = printed().split('KYC_VERIFICATION_DATA').length - 1;
      expect(worked, 'times that they were worked on').to.be.at.most(ids.size);
    });

  it('finds each fault of a receiver that trusts everything, and exits with 1', async () => {
    const receiver = await Gullible.start();
    try {
      const listening = disturb(receiver.url, '--chaos', '--for', '1');
      expect(await listening.end()).to.equal(1);
      const rows = rowsOf(listening);
      for (const trick of trickNames.filter((name) => rows[name]?.[0] !== 0)) {
        const [sent = 0, held] = rows[trick] ?? [];
        expect({ trick, held }).to.deep.equal({ trick, held: TRICKS[trick].right === '4xx' ? 0 : sent });
      }
      const faults = listening
        .lines('trick')
        .filter(({ right }) => right === '4xx')
        .map(({ fault }) => fault);
      expect([...new Set(faults)]).to.deep.equal(['your receiver accepted a forged delivery']);
    } finally {
      await receiver.stop();
    }
  });

  it('reports a receiver that refuses everything: genuine deliveries were refused', async () => {
    const receiver = await Gullible.start();
    receiver.answer = () => [400];
    try {
      const listening = disturb(receiver.url, '--chaos', 'duplicates,old-timestamp', '--for', '1');
      expect(await listening.end()).to.equal(1);
      expect(rowsOf(listening)).to.deep.equal({ genuine: [1, 0], duplicates: [2, 0], 'old-timestamp': [1, 1] });
    } finally {
      await receiver.stop();
    }
  });

  it('changes only what it says: the age, one byte, one header, the second signature', async () => {
    const receiver = await Gullible.start();
    try {
      const tricks = trickNames.filter((name) => name !== 'reorder' && name !== 'delay');
      const listening = disturb(receiver.url, '--chaos', tricks.join(), '--for', '1');
      await listening.end();
      expectDisturbed(receiver.came, listening.lines('delivery')[0]);
    } finally {
      await receiver.stop();
    }
  });

  it('swaps two deliveries: the first is sent once the second was answered', async () => {
    const receiver = await Gullible.start();
    let [open, most, answered] = [0, 0, 0];
    receiver.answer = async () => {
      most = Math.max(most, ++open);
      await wait(ANSWERS_AFTER_MS);
      open--;
      answered++;
      return [204];
    };
    try {
      const listening = demo.listen(...optionsFor(receiver.url), '--chaos', 'reorder', '--for', '6');
      await listening.next('listening');
      for (const pair of [1, 2, 3]) {
        await demo.verifyTwo();
        await eventually('both came through', () => answered >= 2 * pair);
      }
      expect(await listening.end(), listening.printed).to.equal(0);
      expect(rowsOf(listening)['reorder']?.[0]).to.be.at.least(1);
      expect(most, 'at a time').to.equal(1);
    } finally {
      await receiver.stop();
    }
  });

  it('is repeatable with the same seed', async () => {
    const receiver = await Gullible.start();
    try {
      const tricks = trickNames.filter((name) => !['reorder', 'delay', 'duplicates'].includes(name)).join();
      const orders = [];
      for (const seed of ['7', '7', '8']) {
        const listening = disturb(receiver.url, '--chaos', tricks, '--seed', seed, '--for', '1');
        await listening.end();
        orders.push(listening.lines('trick').map(({ trick, done }) => `${trick}: ${done}`));
      }
      const [first = [], again, other] = orders;
      expect(again).to.deep.equal(first).and.not.be.empty;
      expect(other).to.have.members(first).and.not.deep.equal(first);
    } finally {
      await receiver.stop();
    }
  });
});

/** Inspects each request as a receiver could. What was sent for later events does not matter. */
function expectDisturbed(all: readonly Came[], delivery: Line | undefined): void {
  const id = String(delivery?.['delivery_id']);
  const signedNow = (one: Came) => {
    const { 'webhook-id': ownId, 'webhook-timestamp': timestamp } = one.headers;
    return signatureHeaders(String(ownId), new Date(Number(timestamp) * 1000), one.body.toString(), [SECRET]);
  };
  const fits = (one: Came) => String(one.headers['webhook-signature']) === signedNow(one)['webhook-signature'];
  const age = ({ headers, at }: Came) => Math.round((at / 1000 - Number(headers['webhook-timestamp'])) / 60);
  const isWhole = ({ headers }: Came) =>
    Boolean(headers['webhook-id'] && headers['webhook-timestamp'] && headers['webhook-signature']);
  const genuine = all.filter((one) => isWhole(one) && one.headers['webhook-id'] === id && fits(one) && age(one) === 0);
  expect(genuine, 'the delivery, two duplicates, one slow').to.have.length(4);
  const [{ body: sent } = { body: Buffer.alloc(0) }] = genuine;
  const differences = ({ body }: Came) =>
    body.length === sent.length ? body.filter((byte, index) => byte !== sent[index]).length : sent.length;
  // Two events differ in more than one byte.
  const came = all.filter((one) => differences(one) <= 1);
  const whole = came.filter(isWhole);
  expect(genuine.map(differences)).to.deep.equal([0, 0, 0, 0]);
  expect(
    whole
      .filter(fits)
      .map(age)
      .filter((minutes) => minutes !== 0)
      .sort((a, b) => a - b),
  ).to.deep.equal([-10, 10]);
  expect(
    came.filter((one) => !isWhole(one)),
    'one header missing',
  ).to.have.length(3);
  const both = whole.filter(({ headers }) => String(headers['webhook-signature']).includes(' '));
  expect(both.map((one) => String(one.headers['webhook-signature']).split(' ')[1])).to.deep.equal(
    both.map((one) => signedNow(one)['webhook-signature']),
  );
  expect(both).to.have.length(1);
  const changed = came.filter((one) => differences(one) === 1);
  expect(changed).to.have.length(1);
  for (const { body } of changed) JSON.parse(body.toString());
  const made = all.filter(({ body }) => body.includes('SOMETHING_NEW'));
  expect(made).not.to.be.empty;
  for (const one of made) expect([fits(one), one.headers['webhook-id'] === id]).to.deep.equal([true, false]);
}

describe('the guide to testing receivers', () => {
  it('names each trick, what it sends, the expected status and the fix', () => {
    const rows = [...readGuide(GUIDE).matchAll(/^\| `([a-z-]+)` \| ([^|]+) \| (\dxx) \| [^|]+ \|$/gm)];
    const shown = rows.map(([, name, what, right]) => ({ name, what, right }));
    expect(shown).to.deep.equal(
      trickNames.map((name) => ({ name, what: TRICKS[name].what, right: TRICKS[name].right })),
    );
  });

  it('shows only valid commands', () => {
    const shown = blocksOf(GUIDE).flatMap(
      ({ text }) => text.replaceAll('\\\n', '').match(/^npm run listen\b.*$/gm) ?? [],
    );
    expect(shown).to.have.length.above(4);
    for (const command of shown) {
      const [, options = ''] = command.replace('"$WEBHOOK_SECRET"', SECRET).split(' -- ');
      expect(readOptions(options.split(/\s+/).filter(Boolean)).port).to.equal(4100);
    }
  });

  it('has commands for CI that end automatically, with 0 for a correct receiver', async () => {
    const demo = await startDemo();
    const reader = await Reader.create();
    try {
      const port = await freePort();
      const command = blockUnder(GUIDE, 'In CI', 'sh')
        .replace('npx node examples/', `PORT=${port} exec '${process.execPath}' ${ROOT}examples/`)
        .replace(
          'npm run listen --',
          `DATA_DIR=${demo.folder} '${process.execPath}' ${ROOT}packages/webhook-tools/listen/listen.ts --port 0`,
        )
        .replace('localhost:4000', `127.0.0.1:${port}`);
      const [printed] = await reader.paste([`${command}\nkill $!`]);
      expect(printed).to.include('✔ Everything held.').and.include('3 deliveries, 3 verified');
    } finally {
      await reader.stop();
      await demo.stop();
    }
  });
});
