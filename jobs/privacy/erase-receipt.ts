import { createHash } from 'node:crypto';
import type { Erasure } from '../../db/privacy/erasure.ts';
import type { Holders, Person } from '../../db/privacy/persons.ts';
import type { RemovedBytes } from '../documents/tidy-documents.ts';

/** The record of an erasure: ids and numbers, no personal data. */
export interface Receipt {
  receipt_id: string;
  erased_at: string;
  /** Null when the person had no account. */
  tenant_id: string | null;
  /** Nothing was changed: the receipt says what would be erased. */
  dry_run: boolean;
  /** How many of each kind were erased; `..._of_nobody`, `..._made_nobody` and `..._changed` were kept without the person. */
  counts: Record<string, number>;
  left: string[];
  to_do: string[];
  /** SHA-256, in hex, of the JSON of all other fields without white space. */
  sha256: string;
}

/** What was erased from the database, and which third parties hold data too. */
export interface Done {
  at: Date;
  person: Person;
  erasure: Erasure;
  holders: Holders;
  /** Only data held by one landlord was erased. */
  isPartial: boolean;
}

/** What was done after the commit; absent in a dry run. */
interface Afterwards {
  /** Null when they could not be removed. */
  mails?: number | null;
  bytes?: RemovedBytes;
  isWiped?: boolean;
}

export function writeReceipt(receiptId: string, done: Done & Afterwards): Receipt {
  const { at, person, erasure, mails, bytes } = done;
  const counts = {
    ...erasure.counts,
    ...(bytes ? { stored_documents: bytes.removed } : {}),
    ...(typeof mails === 'number' ? { local_mails: mails } : {}),
  };
  const receipt = {
    receipt_id: receiptId,
    erased_at: at.toISOString(),
    tenant_id: person.account?.id ?? null,
    dry_run: bytes === undefined,
    counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    left: remainders(done),
    to_do: nextSteps(done),
  };
  return { ...receipt, sha256: createHash('sha256').update(JSON.stringify(receipt)).digest('hex') };
}

const ifAny = (count: number | undefined, sentence: string) => (count ? [sentence] : []);

function remainders({ erasure: { counts }, isPartial, mails, bytes, isWiped }: Done & Afterwards): string[] {
  const anonymous = counts['participants_made_nobody'];
  const payments = counts['payments_of_nobody'];
  return [
    ...ifAny(
      anonymous,
      `Anonymous participants: ${anonymous}. Their applications continue without them; the row has no name and no address.`,
    ),
    ...ifAny(
      payments,
      `Payments of anonymous participants: ${payments}. The landlord accounts for them; they identify no one.`,
    ),
    ...ifAny(
      bytes?.shared,
      `Stored bytes that another person also submitted: ${bytes?.shared}. They belong to that person, too.`,
    ),
    ...ifAny(
      bytes?.left,
      `Encrypted bytes that were stored again since, or whose store was unavailable: ${bytes?.left}. They can be removed a day from now.`,
    ),
    ...(mails === null
      ? ['Mails on the machine of the service: their folder could not be read or changed. Erase again to remove them.']
      : []),
    ...(isWiped === false
      ? ['Bytes of deleted rows in the files of the database: another process or an error blocked it. Erase again.']
      : []),
    ...(isPartial ? ['The account, and what other landlords hold about the person.'] : []),
    'Entries of the audit log: they hold identifiers only, and its chain cannot be cut.',
  ];
}

function nextSteps({ holders: { landlords, providers }, bytes }: Done & Afterwards): string[] {
  return [
    ...providers.map((name) => `Have the provider "${name}" delete what it holds about the person.`),
    ...ifAny(
      landlords.length,
      `Tell the landlords whose webhooks received events about the person: ${landlords.join(', ')}.`,
    ),
    ...ifAny(bytes?.left, 'Run `document tidy` a day from now.'),
    'Delete earlier backups or let them expire, and delete any database that `db restore` kept; erase again after a restore.',
  ];
}
