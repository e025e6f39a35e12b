import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** Runs `work` under a correlation id, which its log lines and jobs carry. */
export function correlated<T>(id: string, work: () => T): T {
  return storage.run(id, work);
}

/** The correlation id of the current request or job, if any. */
export function correlationId(): string | undefined {
  return storage.getStore();
}
