import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** Runs `work` with a correlation id that every log line and every job sent from within carries. */
export function correlated<T>(id: string, work: () => T): T {
  return storage.run(id, work);
}

/** The id of the request or job that is being worked on, if any. */
export function correlationId(): string | undefined {
  return storage.getStore();
}
