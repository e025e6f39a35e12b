import { createHash } from 'node:crypto';
import type { AnalysisOptions, EngineSettings, Fingerprint, Preview, SubmittedDocument } from '../analysis.ts';
import { conclude } from '../conclude.ts';
import { aboutRule, asStatus } from '../examine.ts';
import { HEAD_BYTES, kindOf } from '../kind.ts';
import type { Check, DocumentResult } from '../result.ts';
import { seenElsewhere, verdictOnSightings } from '../rules/content/seen-elsewhere.ts';
import type { Child } from './child.ts';
import { converse, type Ending } from './conversation.ts';
import { type Frame, Malformed } from './frames.ts';
import type { AnalysedFacts, Asked, Planned } from './message.ts';
import type { Spares } from './spares.ts';
import { readTold } from './told.ts';

interface Apart {
  settings: EngineSettings;
  spares: Spares;
  options: AnalysisOptions;
}

/** More is no document of a person, and every reader holds it in memory several times. */
const LARGEST_MIB = 128;
const MIB = 1024 * 1024;
const MOST_FRAMES = 500;

/** What a process has told so far. */
interface Heard {
  frames: number;
  planned: Planned[];
  facts: AnalysedFacts;
  unreadable: string | undefined;
  checks: Check[];
  fingerprints: Fingerprint[] | undefined;
  previews: Preview[];
}

/**
 * Has a document examined by a process behind walls. Whatever becomes of that process, what it found before counts.
 * @throws what reading the document throws, and when no process can be started
 */
export async function examineApart(document: SubmittedDocument, apart: Apart): Promise<DocumentResult> {
  const { settings, spares, options } = apart;
  const beginning = await beginningOf(document.read());
  const kind = kindOf(beginning.head);
  const measure = { size_bytes: 0, digest: createHash('sha256') };
  const child = await spares.take(kind);
  const heard: Heard = {
    frames: 0,
    planned: [],
    facts: kind ? { kind } : {},
    unreadable: undefined,
    checks: [],
    fingerprints: undefined,
    previews: [],
  };
  const asked: Asked = {
    name: document.name,
    previews: options.onPreviews !== undefined,
    ocr: settings.ocr ?? true,
    ocrSeconds: settings.secondsADocument / 2,
  };
  const limits = { seconds: settings.secondsADocument, memoryMib: settings.memoryMib };
  const bytes = measured(beginning.bytes, measure, child);
  const ending = await converse(child, { header: asked, bytes }, limits, (frame) => hear(heard, frame, asked));
  if (ending === 'not started')
    throw new Error(`The process that analyses documents does not start: ${child.complaint()}`);
  const facts = { ...heard.facts, size_bytes: measure.size_bytes, sha256: measure.digest.digest('hex') };
  const obstacle = heard.fingerprints ? undefined : obstacleOf(ending, settings, facts.size_bytes);
  const fingerprints: Fingerprint[] = [{ kind: 'file', value: facts.sha256 }, ...(heard.fingerprints ?? [])];
  const elsewhere = kind && (await options.sightings?.(document, fingerprints));
  const checks = complete(heard, obstacle).map((check) =>
    elsewhere && check.rule === seenElsewhere.name
      ? { ...aboutRule(seenElsewhere), ...asStatus(verdictOnSightings(elsewhere), seenElsewhere) }
      : check,
  );
  await options.onPreviews?.(document, heard.previews);
  return { ...conclude(checks, obstacle ?? heard.unreadable), facts, checks };
}

/** The first bytes, by which it is decided what the process may do, and all of them. */
async function beginningOf(all: AsyncIterable<Uint8Array>) {
  const pieces = all[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const piece = await pieces.next();
    if (piece.done) break;
    first.push(piece.value);
    length += piece.value.length;
  }
  async function* bytes() {
    yield* first.splice(0);
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  return { head: Buffer.concat(first).subarray(0, HEAD_BYTES), bytes: bytes() };
}

interface Measure {
  size_bytes: number;
  digest: ReturnType<typeof createHash>;
}

/** Size and digest are taken here: a process that a document took over could say anything. */
async function* measured(bytes: AsyncIterable<Uint8Array>, measure: Measure, child: Child) {
  for await (const piece of bytes) {
    measure.size_bytes += piece.length;
    measure.digest.update(piece);
    if (measure.size_bytes > LARGEST_MIB * MIB) child.kill();
    yield piece;
  }
}

function hear(heard: Heard, frame: Frame, { previews }: Asked): boolean {
  if (++heard.frames > MOST_FRAMES) throw new Malformed('It tells too much.');
  const told = readTold(frame);
  if (told.is === 'ready') heard.planned = told.planned;
  if (told.is === 'opened') {
    Object.assign(heard.facts, told.facts);
    heard.unreadable = told.unreadable;
  }
  if (told.is === 'check') heard.checks.push(told.check);
  if (told.is === 'examined') heard.fingerprints = told.fingerprints;
  if (told.is === 'preview') {
    if (!previews) throw new Malformed('Nobody asked for pictures.');
    heard.previews.push(told.preview);
  }
  return told.is === 'end';
}

/** What kept the process from looking at everything, for a caseworker. */
function obstacleOf(ending: Ending, { secondsADocument, memoryMib }: EngineSettings, size: number): string {
  if (size > LARGEST_MIB * MIB) return `The file is larger than ${LARGEST_MIB} MiB.`;
  if (ending === 'too slow') return `The analysis took longer than ${secondsADocument} seconds and was ended.`;
  if (ending === 'too much memory') return `The analysis needed more than ${memoryMib} MiB of memory and was ended.`;
  return 'The analysis of this file ended unexpectedly.';
}

/** Every check that was planned, those that were not done as unreadable. */
function complete({ planned, checks }: Heard, obstacle: string | undefined): Check[] {
  const reason = obstacle ?? 'It was not done.';
  return planned.map(
    (plan): Check => checks.find(({ rule }) => rule === plan.rule) ?? { ...plan, status: 'unreadable', reason },
  );
}
