import { randomBytes } from 'node:crypto';
import { Conflict } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { ifOpened, sealText, unsealText } from '../../core/secrets/secrets.ts';
import { parsedJson } from '../../core/text.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { lockApiKey } from '../../db/access/api-keys.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { oweRemovals } from '../../db/documents/document-moves.ts';
import {
  beginFinishing,
  deletePiece,
  endFinishing,
  hasPiece,
  notePieceDigest,
  reservePiece,
  takeOldPieces,
  takeUpload,
} from '../../db/documents/upload-pieces.ts';
import { MissingDocument, type StoredContent } from '../../providers/documents/port.ts';
import type { Runtime } from '../runtime.ts';
import { removeBytes } from './tidy-documents.ts';
import { addUpload, RefusedUpload, startAgain, type Upload, type Uploader, type Uploading } from './uploads.ts';

export type Holding = Pick<Runtime, 'db' | 'providers' | 'keys' | 'limits' | 'now'>;

/** The pieces of a file that have arrived. Its sealed form is the ticket with which the browser continues. */
interface ReceivedPieces {
  uploadId: string;
  participantId: string;
  startedAt: string;
  pieces: { sha256: string; sizeBytes: number }[];
}

/** A piece as it arrives. */
interface SentPiece {
  /** As declared; undefined when the sender does not say. */
  sizeBytes: number | undefined;
  content: AsyncIterable<Uint8Array>;
}

/** Random bytes before each piece: no other document shares its digest, so it may be removed without a check. */
const SALT_BYTES = 32;
const MAX_PIECES = 100;
const MIB = 1024 * 1024;

/** What a piece counts for at least: each is a row and a file of the store, however short it is. Pages send pieces of this size. */
const MIN_COST_BYTES = 256 * 1024;

/**
 * Stores the next piece of a file, encrypted like a document, once there is room for it. The ticket names the pieces in their order, so the
 * next piece may reach another process, and a piece sent twice with the same ticket counts once in the file.
 * @returns the ticket for the next piece
 * @throws Conflict when the upload must restart, UnacceptableDocument, ProviderUnavailable
 */
export async function addPiece(
  runtime: Holding,
  { participantId, apiKeyId }: Uploader,
  ticket: string | undefined,
  { sizeBytes, content }: SentPiece,
  limitMib: number,
): Promise<string> {
  const { db, keys, limits, now } = runtime;
  const received: ReceivedPieces = ticket
    ? readTicket(runtime, participantId, ticket)
    : { uploadId: newId(), participantId, startedAt: now().toISOString(), pieces: [] };
  const whole = received.pieces.reduce((sum, piece) => sum + piece.sizeBytes, 0);
  if (received.pieces.length >= MAX_PIECES || whole > limitMib * MIB) throw startLater();
  const piece = {
    id: newId(),
    upload_id: received.uploadId,
    participant_id: participantId,
    api_key_id: apiKeyId,
    size_bytes: Math.max(MIN_COST_BYTES, sizeBytes ?? limitMib * MIB),
    created_at: now().toISOString(),
  };
  // Twice the limit for documents: uploads may be abandoned and restarted.
  const most = { ofPerson: 2 * limits.uploads * limitMib * MIB, ofKey: limits.unfinishedMib * MIB };
  const isReserved = await inTransaction(db, async (trx) => {
    await lockApiKey(trx, apiKeyId);
    return reservePiece(trx, piece, most);
  });
  if (!isReserved) throw startLater();
  const stored = await storePiece(runtime, piece.id, content);
  const pieces = [...received.pieces, { sha256: stored.sha256, sizeBytes: stored.sizeBytes }];
  return sealText(JSON.stringify({ ...received, pieces } satisfies ReceivedPieces), keys.encryption);
}

/** An erasure removes what it finds: the digest is known before the bytes are, and a piece whose row is gone is discarded. */
async function storePiece(
  { db, providers }: Holding,
  id: string,
  content: AsyncIterable<Uint8Array>,
): Promise<StoredContent> {
  const announce = async (sha256: string) => {
    if (!(await notePieceDigest(db, id, sha256))) throw startAgain();
  };
  const stored = await providers.documents.put(salted(content), announce).catch(async (error) => {
    await deletePiece(db, id);
    throw error;
  });
  if (await hasPiece(db, id)) return stored;
  await stored.discard();
  throw startAgain();
}

/**
 * Makes the document of an upload whose pieces have arrived. One caller at a time may try, and the rows of the pieces end in the
 * transaction that inserts the document, so that a ticket makes one document, however often it is sent.
 * @returns the id of the document
 * @throws RefusedUpload, Conflict when the upload is complete or must restart, and what `addUpload` throws
 */
export async function finishUpload(
  runtime: Holding & Uploading,
  who: Uploader,
  ticket: string,
  upload: Omit<Upload, 'content' | 'uploadId'>,
): Promise<string> {
  const { db, now, providers, log } = runtime;
  const { uploadId, pieces } = readTicket(runtime, who.participantId, ticket);
  if (!(await beginFinishing(db, uploadId, now()))) throw startAgain();
  async function* content() {
    for (const { sha256 } of pieces) yield* unsalted(providers.documents.get(sha256));
  }
  try {
    return await addUpload(runtime, who, { ...upload, content: content(), uploadId });
  } catch (error) {
    // The person hears why, whatever becomes of the pieces: they are removed as abandoned otherwise.
    const settled = error instanceof RefusedUpload ? removeUpload(runtime, uploadId) : endFinishing(db, uploadId);
    await settled.catch((err: unknown) => log.warn({ err }, 'pieces of an upload not removed or released'));
    throw error;
  }
}

async function removeUpload(runtime: Holding & Uploading, uploadId: string): Promise<void> {
  const removed = await inTransaction(runtime.db, async (trx) => {
    const moment = runtime.now();
    const pieces = await takeUpload(trx, uploadId, moment);
    await oweRemovals(trx, pieces, moment);
    return pieces;
  });
  await removeBytes(runtime, removed);
}

const MAX_ROWS_PER_PASS = 100;

/** Removes the pieces of uploads that were abandoned: a ticket is valid for half a day. */
export async function removeAbandonedPieces(runtime: Pick<Runtime, 'db' | 'providers' | 'now' | 'log'>): Promise<void> {
  const { db, now } = runtime;
  for (;;) {
    const { rows, documents } = await inTransaction(db, async (trx) => {
      const moment = now();
      const taken = await takeOldPieces(trx, isoAfter(moment, -DAY_MS), MAX_ROWS_PER_PASS, moment);
      await oweRemovals(trx, taken.documents, moment);
      return taken;
    });
    await removeBytes(runtime, documents);
    if (rows < MAX_ROWS_PER_PASS) return;
  }
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

/** Tickets end before their pieces are removed; those of earlier versions have no rows. @throws Conflict */
function readTicket(
  { keys, now }: Pick<Holding, 'keys' | 'now'>,
  participantId: string,
  ticket: string,
): ReceivedPieces {
  const received = parsedJson(ifOpened(() => unsealText(ticket, keys.encryption)) ?? '');
  if (isReceivedPieces(received) && received.participantId === participantId)
    if (now().getTime() - Date.parse(received.startedAt) < DAY_MS / 2) return received;
  throw startAgain();
}

/** Only this service seals tickets, but it also seals other things. */
function isReceivedPieces(value: unknown): value is ReceivedPieces {
  return typeof value === 'object' && value !== null && 'uploadId' in value && 'pieces' in value;
}

function startLater(): Conflict {
  return new Conflict('The upload cannot continue. Start it again later.');
}
