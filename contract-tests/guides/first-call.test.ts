import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { choose } from '../../harness/browser/kyc-page.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { startServiceProcess } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { type Block, blocksOf, blockUnder } from './guide.ts';
import { Reader, type Running } from './reader.ts';

const GUIDE = 'first-call.md';
const blocks = blocksOf(GUIDE);
const events = blocks.filter(({ language, text }) => language === 'json' && 'event' in JSON.parse(text));

/** The commands that the reader pastes, in order. Whole programs are started separately. */
const pasted = blocks.filter(({ language, text }) => language === 'sh' && !/^(npm|npx) /.test(text));

describe('the guide to the first call', () => {
  for (const [title, standIns] of Object.entries({ 'as it stands': undefined, 'without curl': ['curl'] }))
    it(`works when pasted ${title}, and shows the fields that really come`, () =>
      follow(async ({ paste, receiver }) => {
        const outputs = await paste(pasted);
        for (const [index, block] of pasted.entries()) expectLike(answerShownAfter(block), outputs[index] ?? '');
        expect(receiver.printed(), 'before anybody was verified').to.not.include('KYC_VERIFICATION_DATA');
        expect(await choose(verificationUrl(outputs), 'verified')).to.equal('You are verified');
        await expectEvents(receiver);
      }, standIns));

  it('has the same two events come without a browser for VERIFIED_TENANT_ID', () =>
    follow(async ({ paste, receiver }) => {
      const inItsPlace = ({ text, ...block }: Block) => ({
        ...block,
        text: text.replaceAll('$TENANT_ID', '$VERIFIED_TENANT_ID'),
      });
      await paste(pasted.map(inItsPlace));
      await expectEvents(receiver);
    }));

  it('has a program for Node that does the same', async () => {
    const { folder, stop } = await startDemo();
    const reader = await Reader.create();
    try {
      await reader.save('first-call.mjs', blockUnder(GUIDE, 'The same in Node', 'js'));
      const output = await reader.node(`--env-file=${folder}/demo.env`, 'first-call.mjs');
      expect(output).to.include("title: 'Studio at Gran Vía 7'").and.to.include('verification_url: ');
    } finally {
      await reader.stop();
      await stop();
    }
  });
});

interface Way {
  receiver: Running;
  /** Pastes the commands, for this service and this receiver, and returns what each printed. */
  paste(commands: Block[]): Promise<string[]>;
}

/** A fresh sandbox, and a reader with the guide's receiver running. */
async function follow(walk: (way: Way) => Promise<void>, standIns?: readonly string[]): Promise<void> {
  const { folder, stop } = await startDemo();
  const reader = await Reader.create(standIns);
  try {
    await reader.save('receiver.mjs', blockUnder(GUIDE, '3. Listen for events', 'js'));
    const receiver = await reader.serve(['receiver.mjs']);
    const adapted = ({ text }: Block) =>
      text.replaceAll('127.0.0.1:4000', `127.0.0.1:${receiver.port}`).replaceAll('data/demo.env', `${folder}/demo.env`);
    await walk({ receiver, paste: (commands) => reader.paste(commands.map(adapted)) });
  } finally {
    await reader.stop();
    await stop();
  }
}

function verificationUrl(outputs: readonly string[]): string {
  return /"verification_url":"([^"]+)"/.exec(outputs.join('\n'))?.[1] ?? '';
}

/** The real program with an empty data folder. */
async function startDemo(): Promise<{ folder: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'screening-guide-'));
  const service = await startServiceProcess({ DATA_DIR: folder, DATABASE_URL: await freshDatabase(folder) });
  const stop = async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { folder, stop };
}

/** The JSON that the guide shows as a command's answer, if any. */
function answerShownAfter(block: Block): string | undefined {
  const next = blocks[blocks.indexOf(block) + 1];
  return next?.language === 'json' && next.heading === block.heading ? next.text : undefined;
}

function expectLike(shown: string | undefined, real: string): void {
  if (shown === undefined) expect(real).to.equal('');
  else expect(shapeOf(JSON.parse(real)), real).to.deep.equal(shapeOf(JSON.parse(shown)));
}

async function expectEvents(receiver: Running): Promise<void> {
  const lines = await until('every event of the guide arrived', () => {
    const bodies = receiver.printed().split('\n').slice(1, -1);
    return bodies.length >= events.length && bodies;
  });
  const real = lines.map((line) => JSON.stringify(shapeOf(JSON.parse(line)))).sort();
  expect(real).to.deep.equal(events.map(({ text }) => JSON.stringify(shapeOf(JSON.parse(text)))).sort());
}

/** The fields of a value and the types in them; of a list, each kind of item once. The name of an event stays. */
function shapeOf(value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))].sort();
  if (typeof value !== 'object') return typeof value;
  const fields = Object.entries(value).map(([name, field]) => [name, name === 'event' ? field : shapeOf(field)]);
  return Object.fromEntries(fields.sort());
}
