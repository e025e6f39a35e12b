import { createHash } from 'node:crypto';
import type { AnalysisOptions, EngineSettings, Fingerprint, Preview, SubmittedDocument } from '../analysis.ts';
import type { Paper } from '../claims.ts';
import { conclude } from '../conclude.ts';
import { aboutRule, asStatus } from '../examine.ts';
import { HEAD_BYTES, kindOf } from '../kind.ts';
import type { Check, DocumentResult } from '../result.ts';
import { seenElsewhere, verdictOnSightings } from '../rules/content/seen-elsewhere.ts';
import type { Child } from './child.ts';
import { type Frame, Malformed } from './frames.ts';
import { readWithFreshProcess } from './fresh-process.ts';
import type { AnalysisRequest, PlannedCheck, WorkerFacts } from './protocol.ts';
import { sanitizeMessage } from './sanitize.ts';
import { type Ending, supervise } from './supervise.ts';
import type { Lane, Taken } from './workers.ts';

interface Environment {
  settings: EngineSettings;
  lane: Lane;
  options: AnalysisOptions;
}

/** Personal documents are smaller, and every reader holds a document in memory several times. */
const MAX_MIB = 128;
const MIB = 1024 * 1024;
const MAX_FRAMES = 500;

/** What a worker has reported so far. */
interface Progress {
  frames: number;
  facts: WorkerFacts;
  unreadable: string | undefined;
  checks: Check[];
  fingerprints: Fingerprint[] | undefined;
  papers: Paper[];
  previews: Preview[];
}

export interface Examined {
  result: DocumentResult;
  /** What the document says about its applicant, for comparison with other documents. */
  papers: Paper[];
}

/**
 * Has a sandboxed worker examine a document. What the worker found before it was killed or crashed counts.
 * @throws errors of reading the document, and if no process can be started
 */
export async function examineIsolated(document: SubmittedDocument, environment: Environment): Promise<Examined> {
  const { settings, options } = environment;
  const { kind, taken, ending, progress, measure } = await readWithFreshProcess(() => examine(document, environment));
  const facts = { ...progress.facts, size_bytes: measure.size_bytes, sha256: measure.digest.digest('hex') };
  const obstacle = progress.fingerprints ? undefined : obstacleOf(ending, settings, facts.size_bytes);
  const fingerprints: Fingerprint[] = [{ kind: 'file', value: facts.sha256 }, ...(progress.fingerprints ?? [])];
  const sightings = kind && (await options.sightings?.(document, fingerprints));
  const checks = complete(taken.planned, progress.checks, obstacle).map((check) =>
    sightings && check.rule === seenElsewhere.name
      ? { ...aboutRule(seenElsewhere), ...asStatus(verdictOnSightings(sightings), seenElsewhere) }
      : check,
  );
  await options.onPreviews?.(document, progress.previews);
  const substance = new Set(taken.planned.filter((plan) => plan.substance).map(({ rule }) => rule));
  const result = { ...conclude(checks, obstacle ?? progress.unreadable, substance), facts, checks };
  return { result, papers: progress.papers };
}

async function examine(document: SubmittedDocument, { settings, lane, options }: Environment) {
  const { head, bytes } = await peek(document.read());
  const kind = kindOf(head);
  const measure = { size_bytes: 0, digest: createHash('sha256') };
  const taken = await lane.take(kind);
  const progress: Progress = {
    frames: 0,
    facts: kind ? { kind } : {},
    unreadable: undefined,
    checks: [],
    fingerprints: undefined,
    papers: [],
    previews: [],
  };
  const header: AnalysisRequest = {
    name: document.name,
    previews: options.onPreviews !== undefined,
    ocr: settings.ocr ?? true,
    ocrSeconds: settings.secondsADocument / 2,
  };
  const request = { header, bytes: measured(bytes, measure, taken.child) };
  const limits = { seconds: settings.secondsADocument, memoryMib: settings.memoryMib };
  const ending = await supervise(taken.child, request, limits, (frame) => record(progress, taken, frame, header));
  if (ending === 'finished') lane.giveBack(taken);
  return { kind, taken, ending, progress, measure };
}

/** The first bytes, which determine the worker's permissions, and a stream of all bytes. */
export async function peek(all: AsyncIterable<Uint8Array>) {
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

/** Size and digest are measured here, because a worker compromised by a document could claim anything. */
async function* measured(bytes: AsyncIterable<Uint8Array>, measure: Measure, child: Child) {
  for await (const piece of bytes) {
    measure.size_bytes += piece.length;
    measure.digest.update(piece);
    if (measure.size_bytes > MAX_MIB * MIB) child.kill();
    yield piece;
  }
}

/** @returns whether the frame was the last */
function record(progress: Progress, taken: Taken, frame: Frame, { previews }: AnalysisRequest): boolean {
  if (++progress.frames > MAX_FRAMES) throw new Malformed('The worker sends too many frames.');
  const message = sanitizeMessage(frame);
  if (message.is === 'ready') taken.planned = message.planned;
  if (message.is === 'opened') {
    Object.assign(progress.facts, message.facts);
    progress.unreadable = message.unreadable;
  }
  if (message.is === 'check') progress.checks.push(message.check);
  if (message.is === 'examined') {
    progress.fingerprints = message.fingerprints;
    progress.papers = message.papers;
  }
  if (message.is === 'preview') {
    if (!previews) throw new Malformed('No previews were requested.');
    progress.previews.push(message.preview);
  }
  return message.is === 'end';
}

/** Why the worker could not finish, for a caseworker. */
function obstacleOf(ending: Ending, { secondsADocument, memoryMib }: EngineSettings, size: number): string {
  if (size > MAX_MIB * MIB) return `The file is larger than ${MAX_MIB} MiB.`;
  if (ending === 'too slow')
    return `The analysis took more than ${secondsADocument} seconds of processor time and was ended.`;
  if (ending === 'too much memory') return `The analysis needed more than ${memoryMib} MiB of memory and was ended.`;
  return 'The analysis of this file ended unexpectedly.';
}

/** Every planned check; one that did not run is unreadable. */
function complete(planned: readonly PlannedCheck[], checks: readonly Check[], obstacle: string | undefined): Check[] {
  const reason = obstacle ?? 'It was not done.';
  return planned.map(
    ({ substance: _, ...plan }): Check =>
      checks.find(({ rule }) => rule === plan.rule) ?? { ...plan, status: 'unreadable', reason },
  );
}
