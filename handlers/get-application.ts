import { findApplication } from '../db/applications/applications.ts';
import { applicationSummary } from './application-view.ts';
import type { Answer, Reader } from './handler.ts';

/** Product document 4.3. */
export const getApplication: Reader<'getApplication'> = async ({ params }, ctx): Answer<'getApplication'> => {
  const found = await findApplication(ctx.read, params.applicationId);
  return { message: 'Application found.', data: applicationSummary(found, ctx.now) };
};
