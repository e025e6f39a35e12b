import { findWorkspaceNames } from '../db/properties/workspaces.ts';
import type { Answer, Reader } from './handler.ts';

/** Product document 4.9. */
export const listWorkspaces: Reader<'listWorkspaces'> = async (_request, ctx): Answer<'listWorkspaces'> => {
  const workspaces = await findWorkspaceNames(ctx.read);
  return { message: 'Workspaces found.', data: { workspaces } };
};
