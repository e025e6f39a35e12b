/** The menu: the name of each section, and the path of its first page. */
export const sections = [
  ['Overview', ''],
  ['Applications', 'applications'],
  ['People', 'people'],
  ['Deliveries', 'deliveries'],
  ['Webhooks', 'webhooks'],
  ['Landlords', 'landlords'],
  ['Privacy', 'privacy'],
  ['Audit log', 'audit'],
] as const;

/** The sections of pages that are not in the menu. */
const BELOW: Record<string, string> = { analyses: 'people', keys: 'landlords' };

/** @param asked a path that begins with `console/` @returns the path of its section */
export function sectionOf(asked: string): string {
  const [, first = ''] = asked.split('/');
  return BELOW[first] ?? first;
}
