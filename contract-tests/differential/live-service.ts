import { rm } from 'node:fs/promises';
import { startService } from '../../bin/service/service.ts';
import { rememberingLog } from '../../harness/process/failures.ts';
import { Client } from '../../harness/service/client.ts';
import type { TestService } from '../../harness/service/service.ts';

/** The service as it runs live, which does without the check of its own answers, on what a sandbox has left. */
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
      moment = now;
    },
    stop: async () => {
      await service.close();
      await rm(first.folder, { recursive: true, force: true });
    },
  };
}
