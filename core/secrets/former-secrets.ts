import { Conflict } from '../errors.ts';

/**
 * How many replaced secrets of a webhook, or of an API key, are valid beside the current one: each signature and login takes all of them into
 * account.
 */
export const MAX_FORMER_SECRETS = 10;

/** Replacing another secret with an overlap would keep more. */
export class TooManySecrets extends Conflict {
  /** @param firstEnd when the first of them ends */
  constructor(firstEnd: string) {
    super(
      `${MAX_FORMER_SECRETS} replaced secrets are still valid. Wait until ${firstEnd}, when one of them ends, or end all of them at once with an overlap of 0.`,
    );
  }
}

/** @param ends when each replaced secret that is still valid ends @throws TooManySecrets */
export function expectRoomForFormer(ends: readonly string[]): void {
  const [first = ''] = ends.toSorted();
  if (ends.length >= MAX_FORMER_SECRETS) throw new TooManySecrets(first);
}
