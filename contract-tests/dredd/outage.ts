import type { TestService } from '../../harness/service/service.ts';

const AWAY = 'api_keys_taken_away';

/** Causes an unexpected failure: authentication, the first step of every operation, finds no table. */
export async function takeKeysAway({ service }: TestService): Promise<void> {
  await service.runtime.db.schema.renameTable('api_keys', AWAY);
}

/** The service must work again at once, without a restart. */
export async function bringKeysBack({ service, alice }: TestService): Promise<void> {
  await service.runtime.db.schema.renameTable(AWAY, 'api_keys');
  await alice.ok('listWorkspaces');
}
