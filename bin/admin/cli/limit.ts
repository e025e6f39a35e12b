import { InvalidArgumentError, Option } from 'commander';

const LONGEST_LIST = 1000;
const DEFAULT_LIMIT = 50;

/** How many rows a list shows. Query one row more, so that `moreNote` can tell whether the list is complete. */
export function limitOption(): Option {
  return new Option('--limit <n>', `how many at most, up to ${LONGEST_LIST}`)
    .argParser(parseLimit)
    .default(DEFAULT_LIMIT);
}

/** The line below an incomplete list. */
export function moreNote(found: readonly unknown[], limit: number): string | undefined {
  return found.length > limit ? `These are the newest ${limit}; --limit shows more.` : undefined;
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d{1,4}$/.test(text) || limit < 1 || limit > LONGEST_LIST)
    throw new InvalidArgumentError(`Give a whole number from 1 to ${LONGEST_LIST}.`);
  return limit;
}
