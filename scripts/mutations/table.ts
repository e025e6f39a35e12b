import type { Mutation } from './mutation.ts';
import { coreMutations } from './table/core.ts';
import { dbMutations } from './table/db.ts';

export const mutations: readonly Mutation[] = [...coreMutations, ...dbMutations];
