import { blockOf, type HeaderFault, UnusableHeader } from '../../core/csv-table.ts';
import type { Actor } from '../../db/audit/audit.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { changes, type StagedCounts } from '../../db/properties/apply-staged.ts';
import {
  type BadLine,
  badLines,
  type StagedChange,
  stagedChanges,
  stageLines,
  withStaging,
} from '../../db/properties/staged-properties.ts';
import { findWorkspaces } from '../../db/properties/workspaces.ts';
import type { Runtime } from '../runtime.ts';
import { checkStaged, writeStaged } from './import-properties.ts';
import { csvLines } from './property-lines.ts';

interface Order {
  landlordId: string;
  actor: Actor;
  /** The workspaces that the landlord may have afterwards. */
  maxWorkspaces: number;
  /** Whether nothing is written. */
  isPreview: boolean;
}

/** What an import of a table did, or would do. A table with a fault is not imported. */
export interface TableImport {
  counts: StagedCounts;
  /** Faults of the header or of lines. */
  faults: readonly (HeaderFault | BadLine)[];
  /** The first properties that are added or changed. */
  shown: readonly StagedChange[];
  hasTooManyWorkspaces: boolean;
}

const MAX_SHOWN = 200;
const NONE = { added: 0, changed: 0, unchanged: 0 };

/** Imports a table that a person pasted or chose: short, so that it is staged in the transaction that writes it. */
export function importTable(
  { db, now }: Pick<Runtime, 'db' | 'now'>,
  { landlordId, actor, maxWorkspaces, isPreview }: Order,
  csv: string,
): Promise<TableImport> {
  const imported = inTransaction(db, (trx) =>
    withStaging(trx, async (staged) => {
      await stageLines(staged, csvLines(blockOf(csv)));
      const counts = await checkStaged(trx, landlordId, 'known');
      const bad = (await Array.fromAsync(badLines(trx))).flat();
      const shown = await stagedChanges(trx, MAX_SHOWN);
      const { length } = await findWorkspaces(trx, landlordId, maxWorkspaces + 1);
      const hasTooManyWorkspaces = length + counts.workspaces.added > maxWorkspaces;
      const isWritten = !isPreview && counts.bad === 0 && !hasTooManyWorkspaces && changes(counts) > 0;
      if (isWritten) await writeStaged(trx, { landlordId, actor, now: now() });
      const faults = counts.lines === 0 ? [{ line: 1, fault: 'empty' as const }] : bad;
      return { counts, faults, shown, hasTooManyWorkspaces };
    }),
  );
  return imported.catch((error: unknown) => {
    if (!(error instanceof UnusableHeader)) throw error;
    const counts = { lines: 0, bad: 0, properties: NONE, workspaces: NONE };
    return { counts, faults: error.faults, shown: [], hasTooManyWorkspaces: false };
  });
}
