import { randomBytes } from 'node:crypto';
import { Conflict } from '../../core/errors.ts';
import { BrokenSeal } from '../../core/secrets/sealing.ts';
import { sealText, unsealText } from '../../core/secrets/secrets.ts';
import { parsedJson } from '../../core/text.ts';
import { DAY_MS } from '../../core/time.ts';
import { MissingDocument } from '../../providers/documents/port.ts';
import type { Runtime } from '../runtime.ts';
import { removeBytes } from './tidy-documents.ts';
import type { Uploader } from './uploads.ts';

export type Holding = Pick<Runtime, 'db' | 'providers' | 'keys' | 'limits' | 'now'>;

/** The pieces of a file that have arrived. Its sealed form is the ticket with which the browser continues. */
interface ReceivedPieces {
  participantId: string;
  startedAt: string;
  pieces: { sha256: string; sizeBytes: number }[];
}

/** Random bytes before each piece: no other document shares its digest, so it may be removed without a check. */
const SALT_BYTES = 32;
const MAX_PIECES = 100;
const MIB = 1024 * 1024;

/** What a piece costs at least: each is a file of the store, however short it is. */
const MIN_COST_BYTES = 16 * 1024;

/** Bytes of pieces per participant since a given time, stored or arriving, so that one link cannot fill the store. */
const taken = { since: 0, bytes: new Map<string, number>() };

/**
 * Stores the next piece of a file, encrypted like a document. All state is in the ticket, so the next piece may reach another process, and
 * a piece sent twice with the same ticket counts once. `document tidy` removes the pieces of abandoned uploads.
 * @returns the ticket for the next piece
 * @throws Conflict when the upload must restart, UnacceptableDocument, ProviderUnavailable
 */
export async function addPiece(
  { providers, keys, limits, now }: Holding,
  { participantId }: Uploader,
  ticket: string | undefined,
  content: AsyncIterable<Uint8Array>,
  limitMib: number,
): Promise<string> {
  const received = ticket
    ? readTicket({ keys, now }, participantId, ticket)
    : { participantId, startedAt: now().toISOString(), pieces: [] };
  const whole = received.pieces.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (received.pieces.length >= MAX_PIECES || whole > limitMib * MIB) throw startLater();
  // Twice the limit for documents: uploads may be abandoned and restarted.
  const cost = costOf(participantId, 2 * limits.uploads * limitMib * MIB, now());
  const { sha256, sizeBytes } = await providers.documents.put(salted(cost.counted(content))).catch((error) => {
    cost.giveBack();
    throw error;
  });
  return sealText(
    JSON.stringify({ ...received, pieces: [...received.pieces, { sha256, sizeBytes }] } satisfies ReceivedPieces),
    keys.encryption,
  );
}

/** The file assembled from the pieces, and a function that removes them. @throws Conflict when the upload must restart */
export function receivedFile(
  runtime: Holding,
  { participantId }: Uploader,
  ticket: string,
): { content: AsyncIterable<Uint8Array>; remove(): Promise<void> } {
  const { pieces } = readTicket(runtime, participantId, ticket);
  const { documents } = runtime.providers;
  async function* content() {
    for (const { sha256 } of pieces) yield* unsalted(documents.get(sha256));
  }
  const gone = pieces.map(({ sha256 }) => ({ sha256, createdAt: runtime.now().toISOString() }));
  return {
    content: content(),
    remove: async () => {
      await removeBytes(runtime, gone);
    },
  };
}

async function* salted(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield randomBytes(SALT_BYTES);
  yield* content;
}

/**
 * @throws Conflict when the piece was removed, or the upload is already complete
 */
async function* unsalted(piece: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = SALT_BYTES;
  try {
    for await (const bytes of piece) {
      if (bytes.length > left) yield bytes.subarray(left);
      left = Math.max(0, left - bytes.length);
    }
  } catch (error) {
    throw error instanceof MissingDocument ? startAgain() : error;
  }
}

/** Pieces may be removed after a day. @throws Conflict */
function readTicket(
  { keys, now }: Pick<Holding, 'keys' | 'now'>,
  participantId: string,
  ticket: string,
): ReceivedPieces {
  const received = parsedJson(unsealed(ticket, keys.encryption));
  if (isReceivedPieces(received) && received.participantId === participantId)
    if (now().getTime() - Date.parse(received.startedAt) < DAY_MS / 2) return received;
  throw startAgain();
}

function unsealed(ticket: string, ring: Holding['keys']['encryption']): string {
  try {
    return unsealText(ticket, ring);
  } catch (error) {
    if (error instanceof BrokenSeal) throw startAgain();
    throw error;
  }
}

/** Only this service seals tickets, but it also seals other things. */
function isReceivedPieces(value: unknown): value is ReceivedPieces {
  return typeof value === 'object' && value !== null && 'participantId' in value && 'pieces' in value;
}

function startAgain(): Conflict {
  return new Conflict('The upload cannot continue. Start it again.');
}

function startLater(): Conflict {
  return new Conflict('The upload cannot continue. Start it again later.');
}

/** The quota of a person's uploads. Counts in-flight pieces, because one person may upload several concurrently. @throws Conflict beyond the limit */
function costOf(participantId: string, limit: number, now: Date) {
  if (now.getTime() - taken.since > DAY_MS) {
    taken.since = now.getTime();
    taken.bytes.clear();
  }
  let cost = 0;
  const sum = () => taken.bytes.get(participantId) ?? 0;
  const giveBack = () => {
    taken.bytes.set(participantId, Math.max(0, sum() - cost));
    cost = 0;
  };
  const add = (bytes: number) => {
    if (sum() + bytes > limit) {
      // At once, or all that arrive together would be refused.
      giveBack();
      throw startLater();
    }
    cost += bytes;
    taken.bytes.set(participantId, sum() + bytes);
  };
  add(MIN_COST_BYTES);
  async function* counted(content: AsyncIterable<Uint8Array>) {
    for await (const bytes of content) {
      add(bytes.length);
      yield bytes;
    }
  }
  return { counted, giveBack };
}
