import type { Answer, Handler, Handlers, Reader } from '../handlers/handler.ts';
import { handlers, type readers } from '../handlers/index.ts';

// Each line below must stay a compiler error: `tsc` fails when one of them no longer is.

export const undeclaredField: Handler<'listWorkspaces'> = async (): Answer<'listWorkspaces'> => ({
  message: 'Workspaces found.',
  // @ts-expect-error the contract declares no field `total`
  data: { workspaces: [], total: 0 },
});

export const wrongType: Handler<'runForensic'> = async (): Answer<'runForensic'> => ({
  message: 'Queued.',
  // @ts-expect-error the contract declares no such status
  data: { processing_status: 'DONE', added_to_queue: false },
});

export const undeclaredInput: Handler<'getApplication'> = async ({ params }): Answer<'getApplication'> => {
  // @ts-expect-error the contract declares no parameter `id`
  throw new Error(params.id);
};

const { createWebhook, ...others } = handlers;
// @ts-expect-error a missing handler
export const missing: Handlers<typeof readers> = others;
// @ts-expect-error a surplus handler
export const surplus: Handlers<typeof readers> = { ...others, createWebhook, deleteWebhook: createWebhook };
// @ts-expect-error an operation with an effect needs more than a reader may use
export const effect: Reader<'initiateKyc'> = handlers.initiateKyc;
