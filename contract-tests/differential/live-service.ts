import { rm } from 'node:fs/promises';
import { startService } from '../../bin/service/service.ts';
import { rememberingLog } from '../../harness/process/failures.ts';
import { Client } from '../../harness/service/client.ts';
import type { TestService } from '../../harness/service/service.ts';

/** The service in live mode, without response validation, on the data of a sandbox. */
export async function reopened(first: TestService): Promise<TestService> {
  let moment = new Date();
  const service = await startService({ ...first.config, mode: 'live' }, { now: () => moment, log: rememberingLog() });
  const there = ({ clientId, clientSecret, token }: Client) =>
    Object.assign(new Client(service.url, clientId, clientSecret), { token });
  return {
    ...first,
    service,
    alice: there(first.alice),
    bob: there(first.bob),
    charlie: there(first.charlie),
    setNow: (now) => {
      moment = now ?? new Date();
    },
    stop: async () => {
      await service.close();
      await rm(first.folder, { recursive: true, force: true });
    },
  };
}
