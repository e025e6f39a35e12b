import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { choose } from '../../harness/browser/kyc-page.ts';
import { checkSchema, componentSchema } from '../../harness/contract/contract.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { startServiceProcess } from '../../harness/process/process.ts';
import { eventually } from '../../harness/process/signals.ts';
import { type Block, blocksOf, exampleFile, readGuide } from './guide.ts';
import { Reader, type Running } from './reader.ts';

databases('sqlite');

const GUIDE = 'first-call.md';
const blocks = blocksOf(GUIDE);
const shownEvent = blocks.find(({ text }) => text.includes('"event": "KYC_VERIFICATION_DATA"'))?.text ?? '';

/** The commands that the reader pastes, in order. Whole programs are started separately. */
const pasted = blocks.filter(({ language, text }) => language === 'sh' && !/^npm |npx node /.test(text));

describe('the first-call guide', () => {
  for (const [title, standIns] of Object.entries({ 'as it stands': undefined, 'without curl': ['curl'] }))
    it(`works when pasted ${title}, and shows the actual fields`, () =>
      follow(async ({ paste, receiver }) => {
        const outputs = await paste(pasted);
        for (const [index, block] of pasted.entries()) expectLike(answerShownAfter(block), outputs[index] ?? '');
        expect(receiver.printed(), 'before anyone was verified').to.not.include('KYC_VERIFICATION_DATA');
        expect(await choose(verificationUrl(outputs), 'verified')).to.equal('You are verified');
        await expectEvents(receiver);
      }, standIns));

  it('delivers the same two events without a browser for VERIFIED_TENANT_ID', () =>
    follow(async ({ paste, receiver }) => {
      const inItsPlace = ({ text, ...block }: Block) => ({
        ...block,
        text: text.replaceAll('$TENANT_ID', '$VERIFIED_TENANT_ID'),
      });
      await paste(pasted.map(inItsPlace));
      await expectEvents(receiver);
    }));
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
    const [, secret = '', program = ''] = /WEBHOOK_SECRET=(\S+) npx node (\S+)/.exec(readGuide(GUIDE)) ?? [];
    const receiver = await reader.serve([exampleFile(program)], { WEBHOOK_SECRET: secret });
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
  const lines = await eventually('both events of the guide arrived', () => {
    const bodies = receiver.printed().split('\n').slice(1, -1);
    return bodies.length >= 2 && bodies;
  });
  const [kyc, analysis] = lines
    .map((line) => {
      const [event = '', data = ''] = line.split(/ (.*)/s);
      return { event, data: JSON.parse(data) };
    })
    .sort((a, b) => b.event.localeCompare(a.event));
  expect(shapeOf(kyc)).to.deep.equal(shapeOf(JSON.parse(shownEvent)));
  checkSchema('the analysis', componentSchema('ForensicAnalysisDataEvent'), analysis);
}

/** The fields of a value with their types, and each kind of list item once. The name of an event is kept. */
function shapeOf(value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))].sort();
  if (typeof value !== 'object') return typeof value;
  const fields = Object.entries(value).map(([name, field]) => [name, name === 'event' ? field : shapeOf(field)]);
  return Object.fromEntries(fields.sort());
}
