import { createApplication } from './create-application.ts';
import { createWebhook } from './create-webhook.ts';
import { generateToken } from './generate-token.ts';
import { getApplication } from './get-application.ts';
import { getProperty } from './get-property.ts';
import type { Handlers, OperationId, Reader } from './handler.ts';
import { initiateEid } from './initiate-eid.ts';
import { initiateKyc } from './initiate-kyc.ts';
import { listWorkspaces } from './list-workspaces.ts';
import { removeParticipant } from './remove-participant.ts';
import { runForensic } from './run-forensic.ts';
import { updateParticipant } from './update-participant.ts';

/** One that asks for more than a reader may use does not compile. */
export const readers = { getApplication, listWorkspaces, getProperty } satisfies { [Op in OperationId]?: Reader<Op> };

/** The exhaustive map: a missing or a surplus operation does not compile. */
export const handlers: Handlers<typeof readers> = {
  generateToken,
  createApplication,
  updateParticipant,
  removeParticipant,
  initiateKyc,
  initiateEid,
  runForensic,
  createWebhook,
};
