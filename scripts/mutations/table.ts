import type { Mutation } from './mutation.ts';
import { binMutations } from './table/bin.ts';
import { coreMutations } from './table/core.ts';
import { dbMutations } from './table/db.ts';
import { forensicsMutations } from './table/forensics.ts';
import { handlersMutations } from './table/handlers.ts';
import { httpMutations } from './table/http.ts';
import { jobsMutations } from './table/jobs.ts';
import { providersMutations } from './table/providers.ts';
import { queueMutations } from './table/queue.ts';
import { webhookToolsMutations } from './table/webhook-tools.ts';

/** In the order of the layers. */
export const mutations: readonly Mutation[] = [
  ...binMutations,
  ...httpMutations,
  ...handlersMutations,
  ...jobsMutations,
  ...queueMutations,
  ...dbMutations,
  ...providersMutations,
  ...forensicsMutations,
  ...webhookToolsMutations,
  ...coreMutations,
];
