import { findWorkspaces } from '../db/properties/workspaces.ts';
import type { Answer, Handler } from './handler.ts';

/** Product document 4.9. */
export const listWorkspaces: Handler<'listWorkspaces'> = async (_request, ctx): Answer<'listWorkspaces'> => {
  const workspaces = await findWorkspaces(ctx.db, ctx.caller.landlordId);
  return {
    message: 'Workspaces found.',
    data: { workspaces: workspaces.map(({ workspace_id, workspace_name }) => ({ workspace_id, workspace_name })) },
  };
};
