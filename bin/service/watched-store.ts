import { ProviderUnavailable } from '../../core/errors.ts';
import type { InTurns } from '../../core/in-turns.ts';
import type { DocumentStore } from '../../providers/documents/port.ts';

/**
 * The document store during a start, which does not wait for a silent one: most of the service needs no documents. Only the store's own time
 * counts, because a slow machine or database is not a silent store.
 * @returns the store, and what resolves once it has refused a call, or has not answered one in time
 */
export function watchStore(
  documents: InTurns<DocumentStore>,
  maxMs: number,
): { documents: InTurns<DocumentStore>; silent: Promise<void> } {
  const { promise: silent, resolve } = Promise.withResolvers<void>();
  const watched = async <Result>(call: Promise<Result>): Promise<Result> => {
    const timer = setTimeout(resolve, maxMs).unref();
    try {
      return await call;
    } catch (error) {
      if (error instanceof ProviderUnavailable) resolve();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    silent,
    documents: {
      ...documents,
      put: (...given) => watched(documents.put(...given)),
      openedBy: (sha256) => watched(documents.openedBy(sha256)),
    },
  };
}
