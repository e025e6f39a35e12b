import { type Observation, ok, problem, warning } from '../../core/conditions/observation.ts';
import { MINUTE_MS } from '../../core/time.ts';
import { chainedSince } from '../../db/audit/audit-seal.ts';
import { examineLog, type Witnessed } from '../upkeep/audit-witnesses.ts';
import type { Observers } from './look.ts';

/** The heads that are kept for the audit log, and the seals of its archives. */
export function ofAudit(parts: Witnessed): Pick<Observers, 'audit-head'> {
  return { 'audit-head': () => auditHead(parts) };
}

async function auditHead(parts: Witnessed): Promise<Observation> {
  const { contradicting, unsealed, isKept } = await examineLog(parts);
  if (contradicting.length > 0)
    return problem(
      `The audit log lacks the head that is kept in ${contradicting.join(' and in ')}: it was cut off, rewritten or restored.`,
      undefined,
      'audit verify',
    );
  const [archive] = unsealed;
  if (archive)
    return problem(
      `Archives of the audit log without a seal of ENCRYPTION_KEY: ${unsealed.length}. The first has the positions ${archive.first_position} to ${archive.last_position}: it was forged, or made by an earlier version.`,
      'Verify its file by audit verify --file, then accept it by audit keep-head. If there is no such file, entries were hidden.',
      'audit archives',
    );
  if (isKept) return ok('The audit log contains the heads that are kept for it.');
  const since = await chainedSince(parts.db);
  if (since === undefined || parts.now().getTime() - since.getTime() < MINUTE_MS)
    return ok('No head of the audit log is kept yet: it has just begun.');
  return warning(
    'No head of the audit log is kept, so an end that is cut off is not noticed.',
    'Start the workers, which keep it.',
  );
}
