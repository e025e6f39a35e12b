import type { Visit } from '../../route.ts';

/** Who looks, and when: what every picture of a document bears. */
export function stampOf({ visitor, now }: Pick<Visit, 'visitor' | 'now'>): string {
  return `${visitor.name} · ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
