import type { ChainFault, ChainHead } from '../../core/rules/audit-chain.ts';
import { archivedHead } from '../../db/audit/audit-archives.ts';
import { examineLog, type Testimony, testimonies, type Witnessed } from './audit-witnesses.ts';
import { type AuditVerdict, verifyChain } from './chain-audit.ts';

export interface WitnessedVerdict extends AuditVerdict {
  /** The position of the sealed head in the database, which is in the log; null without one. */
  sealed: number | null;
  /** The same of the head that is kept outside the database. */
  kept: number | null;
}

/**
 * Verifies the chain, and that it contains the heads that are kept for it.
 * @param given further heads that must be in it
 * @throws ArchivedHead, ProviderUnavailable
 */
export async function verifyAudit(
  parts: Witnessed,
  given: readonly ChainHead[] = [],
  tick?: (done: number) => void,
): Promise<WitnessedVerdict> {
  const { db } = parts;
  const told = await testimonies(parts);
  const [unsealed] = (await examineLog(parts)).unsealed;
  const archived = await archivedHead(db);
  // A head from before the last archive is compared with the file of its archive, by the operator.
  const heads = told.flatMap((one) => ('head' in one && one.head ? [one.head] : []));
  const comparable = heads.filter(({ position }) => position >= archived.position);
  const verdict = await verifyChain(parts, [...given, ...comparable], tick);
  const positionOf = (name: Testimony['name']) => {
    const one = told.find((each) => each.name === name);
    return one && 'head' in one && one.head && comparable.includes(one.head) ? one.head.position : null;
  };
  const isForged = told.some((one) => 'forged' in one);
  const fault: ChainFault | undefined =
    verdict.fault ??
    (isForged ? { position: verdict.head.position, reason: 'forged' } : undefined) ??
    (unsealed && { position: unsealed.last_position, reason: 'unsealed' });
  return { ...verdict, fault, sealed: positionOf('seal'), kept: positionOf('kept') };
}
