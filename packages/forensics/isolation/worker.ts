import type { ScaledSize } from '../analysis.ts';
import { papersIn } from '../content/claims/papers.ts';
import { aboutRule } from '../examine.ts';
import { examineBytes } from '../examine-bytes.ts';
import { fingerprintsOf } from '../fingerprints.ts';
import { glanceAt } from '../glance/glance.ts';
import { scaledPixelsOf } from '../image/pixels.ts';
import { obstacleIn } from '../inspect-bytes.ts';
import { type Document, Unreadable } from '../model.ts';
import { type Opened, openDocument } from '../open-document.ts';
import { pagesToShow, previewsOf } from '../previews.ts';
import type { Check } from '../result.ts';
import { rules } from '../rules/index.ts';
import type { AnalysisRequest, WorkerMessage } from './protocol.ts';
import { readRequest, writeFrame } from './worker-io.ts';

/** The sandboxed program: reads one document after the other, reports what it finds, and exits when the host has no further one. */

function send(message: Exclude<WorkerMessage, { is: 'preview' | 'glanced' | 'scaled' }>): void {
  writeFrame(message);
}

/** The request comes from the host, which this process may trust. */
function isRequest(header: unknown): header is AnalysisRequest {
  return typeof header === 'object' && header !== null && 'name' in header && 'ocrSeconds' in header;
}

async function analyse(request: AnalysisRequest, bytes: Uint8Array): Promise<void> {
  const checks: Check[] = [];
  let opened: Opened | undefined;
  const onOpened = (now: Opened) => {
    opened = now;
    const { size_bytes, sha256, ...facts } = now.facts;
    send({ is: 'opened', facts, ...(now.unreadable === undefined ? {} : { unreadable: now.unreadable }) });
  };
  const onCheck = (check: Check) => {
    checks.push(check);
    send({ is: 'check', check });
  };
  await examineBytes(request.name, bytes, { rules, reading: request, onOpened, onCheck });
  const document = opened?.document;
  send({
    is: 'examined',
    fingerprints: document ? await fingerprintsOf(document) : [],
    papers: document ? await papersIn(document) : [],
  });
  if (document && request.previews) await sendPreviews(document, pagesToShow(opened?.facts.pages ?? 1, checks));
  send({ is: 'end' });
}

async function sendPreviews(document: Document, pages: readonly number[]): Promise<void> {
  for await (const { picture, ...place } of previewsOf(document, pages))
    writeFrame({ is: 'preview', ...place }, picture);
}

async function draw(request: AnalysisRequest, pages: readonly number[], bytes: Uint8Array): Promise<void> {
  const { document } = await openDocument(request.name, bytes, request);
  if (document) await sendPreviews(document, pages);
  send({ is: 'end' });
}

/** The obstacle is sent first: a glance that exceeds the limits does not make a readable file harmful. */
async function inspect({ name, ocr, ocrSeconds }: AnalysisRequest, today: string, bytes: Uint8Array): Promise<void> {
  const obstacle = await obstacleIn(bytes);
  send({ is: 'inspected', ...(obstacle ? { obstacle } : {}) });
  const glanced = obstacle ? undefined : await glanceAt(name, bytes, { ocr, ocrSeconds, today });
  if (glanced) {
    const { glance, thumbnail } = glanced;
    const size = thumbnail && { width: thumbnail.width, height: thumbnail.height };
    writeFrame({ is: 'glanced', glance, ...size }, thumbnail?.data);
  }
  send({ is: 'end' });
}

async function scale(size: ScaledSize, bytes: Uint8Array): Promise<void> {
  const scaled = await scaledPixelsOf(bytes, size).catch((error: unknown) => {
    if (error instanceof Unreadable) return 'damaged' as const;
    throw error;
  });
  if (typeof scaled === 'string') send({ is: 'inspected', obstacle: scaled });
  else writeFrame({ is: 'scaled', width: scaled.width, height: scaled.height }, scaled.data);
  send({ is: 'end' });
}

async function answer(request: AnalysisRequest, bytes: Uint8Array): Promise<void> {
  if (request.inspect) await inspect(request, request.inspect, bytes);
  else if (request.scale) await scale(request.scale, bytes);
  else if (request.draw) await draw(request, request.draw, bytes);
  else await analyse(request, bytes);
}

send({ is: 'ready', planned: rules.map((rule) => ({ ...aboutRule(rule), substance: rule.substance })) });
for (let next = readRequest(); next && isRequest(next.header); next = readRequest())
  await answer(next.header, next.bytes);
