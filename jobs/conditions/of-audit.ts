import { type Observation, ok, problem, warning } from '../../core/conditions/observation.ts';
import { MINUTE_MS } from '../../core/time.ts';
import { chainedSince } from '../../db/audit/audit-seal.ts';
import { contradictions, testimonies, type Witnessed } from '../upkeep/audit-witnesses.ts';
import type { Observers } from './look.ts';

/** The heads that are kept for the audit log. */
export function ofAudit(parts: Witnessed): Pick<Observers, 'audit-head'> {
  return { 'audit-head': () => auditHead(parts) };
}

async function auditHead(parts: Witnessed): Promise<Observation> {
  const places = await contradictions(parts);
  if (places.length > 0)
    return problem(
      `The audit log lacks the head that is kept in ${places.join(' and in ')}: it was cut off, rewritten or restored.`,
      undefined,
      'audit verify',
    );
  const told = await testimonies(parts);
  const isKept = told.every((one) => 'head' in one && one.head !== undefined);
  if (isKept) return ok('The audit log contains the heads that are kept for it.');
  const since = await chainedSince(parts.db);
  if (since === undefined || parts.now().getTime() - since.getTime() < MINUTE_MS)
    return ok('No head of the audit log is kept yet: it has just begun.');
  return warning(
    'No head of the audit log is kept, so an end that is cut off is not noticed.',
    'Start the workers, which keep it.',
  );
}
