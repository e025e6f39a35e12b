import { NotFound, on } from '../../../core/errors.ts';
import { findListedApplication, type ListedApplication } from '../../../db/applications/application-lists.ts';
import {
  findActiveParticipant,
  lockAnyApplication,
  type ParticipantRow,
} from '../../../db/applications/applications.ts';
import type { Database, Transaction } from '../../../db/connection/database.ts';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import { OperatorError } from '../cli/faults.ts';
import { expectFound } from '../cli/named.ts';
import { commandLine } from '../cli/run-command.ts';

/** @throws OperatorError when there is no such application */
export async function namedApplication(db: Database, id: string): Promise<ListedApplication> {
  return expectFound(await findListedApplication(db, ALL_LANDLORDS, id), 'application', id, 'application list');
}

/** Locks it until the transaction ends. @throws OperatorError when there is no such application */
export async function lockNamedApplication(trx: Transaction, id: string): Promise<void> {
  await lockAnyApplication(trx, id).catch(
    on(NotFound, () => expectFound<never>(undefined, 'application', id, 'application list')),
  );
}

/** Locks the application. @returns an active participant. @throws OperatorError when either is missing */
export async function lockParticipant(trx: Transaction, applicationId: string, email: string): Promise<ParticipantRow> {
  await lockNamedApplication(trx, applicationId);
  return findActiveParticipant(trx, applicationId, email).catch((error) => {
    if (!(error instanceof NotFound)) throw error;
    throw new OperatorError(
      `"${email}" takes no part in the application; see who does with ${commandLine(`application show ${applicationId}`)}`,
    );
  });
}

/** The fields of an application in every output. */
export function applicationFields(application: ListedApplication) {
  return {
    application_id: application.id,
    title: application.title,
    lead_email: application.lead_email,
    property_id: application.property_id,
    client_id: application.client_id,
    landlord_id: application.landlord_id,
    landlord_name: application.landlord_name,
    created_at: application.created_at,
    updated_at: application.updated_at,
  };
}
