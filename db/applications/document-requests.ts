import type { DocumentRequest } from '../../core/rules/progress.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { among } from '../connection/queries/many-values.ts';

/** What the landlord asked a participant for. It is open until a document of its kind arrives (`core/rules/progress`). */
export interface DocumentRequestRow extends DocumentRequest {
  id: string;
  participant_id: string;
  /** In words for the person. */
  reason: string;
}

/** How many requests to a participant are kept: each page and mail of theirs reads all. */
const MAX_REQUESTS = 50;

/** The oldest give way. */
export async function insertDocumentRequest(trx: Transaction, row: DocumentRequestRow): Promise<void> {
  await trx('document_requests').insert(row);
  const former = await listDocumentRequests(trx, row.participant_id);
  const beyond = former.slice(0, -MAX_REQUESTS).map(({ id }) => id);
  if (beyond.length > 0) await trx('document_requests').whereIn('id', beyond).delete();
}

/** The requests to several participants. */
export function listRequestsOf(db: Database, participantIds: readonly string[]): Promise<DocumentRequestRow[]> {
  return db('document_requests').where(among(db, 'participant_id', participantIds));
}

const requestsOf = prepared<DocumentRequestRow>(`
  select id, participant_id, type, reason, created_at from document_requests
  where participant_id = ? order by created_at, id`);

/** Oldest first. */
export function listDocumentRequests(db: Database | Transaction, participantId: string): Promise<DocumentRequestRow[]> {
  return requestsOf(db, participantId);
}
