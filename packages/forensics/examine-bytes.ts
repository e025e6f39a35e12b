import { conclude, substanceIn } from './conclude.ts';
import { aboutRule, examine } from './examine.ts';
import { type Opened, openDocument, type Reading } from './open-document.ts';
import type { Check, DocumentResult } from './result.ts';
import type { Rule } from './rule.ts';

interface Options {
  rules: readonly Rule[];
  reading?: Reading;
  onOpened?: (opened: Opened) => void;
  onCheck?: (check: Check) => void;
}

/**
 * Examines one file in this process, for the sandboxed worker and for tools that trust their files. Throws only on internal faults,
 * regardless of the bytes, but sets no limits on time and memory.
 */
export async function examineBytes(name: string, bytes: Uint8Array, options: Options): Promise<DocumentResult> {
  const { rules, reading, onOpened, onCheck } = options;
  const opened = await openDocument(name, bytes, reading);
  onOpened?.(opened);
  const { document, facts, unreadable } = opened;
  if (document) return examine(document, rules, facts, unreadable, onCheck);
  const reason = unreadable ?? 'It cannot be read.';
  const checks = rules.map((rule): Check => ({ ...aboutRule(rule), status: 'unreadable', reason }));
  for (const check of checks) onCheck?.(check);
  return { ...conclude(checks, reason, substanceIn(rules)), facts, checks };
}
