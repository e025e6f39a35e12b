import type { Contract, ListedOperation } from './contract.ts';

/** The reference page. Its script gives operations and events exactly these fragments. */
export const REFERENCE = 'reference.html';

export function operationAddress({ tags: [tag], operationId }: ListedOperation): string {
  return `${REFERENCE}#tag/${slugOf(tag)}/${operationId}`;
}

export function eventAddress(name: string): string {
  return `${REFERENCE}#tag/events/webhook/${name}`;
}

/** The fragments that the reference's script creates. */
export function referenceFragments({ operations, events }: Contract): Set<string> {
  const tags = operations.map(({ tags: [tag] }) => `tag/${slugOf(tag)}`);
  const entries = [...operations.map(operationAddress), ...events.map(({ name }) => eventAddress(name))];
  return new Set(['tag/events', ...tags, ...entries.map((address) => address.slice(REFERENCE.length + 1))]);
}

/** A heading's fragment, spelt as on GitHub, so that links between guides work in both places. */
export function slugOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}
