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

export async function insertDocumentRequest(trx: Transaction, row: DocumentRequestRow): Promise<void> {
  await trx('document_requests').insert(row);
}

/** The requests to several participants. */
export function listRequestsOf(db: Database, participantIds: readonly string[]): Promise<DocumentRequestRow[]> {
  return db('document_requests').where(among(db, 'participant_id', participantIds));
}

const requestsOf = prepared<DocumentRequestRow>(`
  select id, participant_id, type, reason, created_at from document_requests
  where participant_id = ? order by created_at, id`);

/** Oldest first. */
export function listDocumentRequests(db: Database, participantId: string): Promise<DocumentRequestRow[]> {
  return requestsOf(db, participantId);
}
