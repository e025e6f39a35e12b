import { createApplication } from './create-application.ts';
import { createWebhook } from './create-webhook.ts';
import { generateToken } from './generate-token.ts';
import { getApplication } from './get-application.ts';
import { getProperty } from './get-property.ts';
import type { Handlers } from './handler.ts';
import { initiateEid } from './initiate-eid.ts';
import { initiateKyc } from './initiate-kyc.ts';
import { listWorkspaces } from './list-workspaces.ts';
import { removeParticipant } from './remove-participant.ts';
import { runForensic } from './run-forensic.ts';
import { updateParticipant } from './update-participant.ts';

/** The exhaustive map: a missing or a surplus operation does not compile. */
export const handlers: Handlers = {
  generateToken,
  createApplication,
  getApplication,
  updateParticipant,
  removeParticipant,
  initiateKyc,
  initiateEid,
  runForensic,
  listWorkspaces,
  getProperty,
  createWebhook,
};
