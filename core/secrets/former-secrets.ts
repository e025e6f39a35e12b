import { Conflict } from '../errors.ts';

/** How many replaced secrets of a webhook, or of an API key, are valid beside the current one: each login and signature takes all of them into account. */
export const MAX_FORMER_SECRETS = 5;

/** Replacing another secret with an overlap would keep more. */
export class TooManySecrets extends Conflict {
  constructor() {
    super(
      `${MAX_FORMER_SECRETS} replaced secrets are still valid. Wait until one of them ends, or end all of them at once with an overlap of 0.`,
    );
  }
}

/** @param former how many replaced secrets are still valid @throws TooManySecrets */
export function expectRoomForFormer(former: number): void {
  if (former >= MAX_FORMER_SECRETS) throw new TooManySecrets();
}
