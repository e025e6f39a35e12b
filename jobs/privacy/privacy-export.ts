import { ifOpened, unsealJson } from '../../core/secrets/secrets.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { accountData, auditData, type ExportedDocument } from '../../db/privacy/personal-data-of-account.ts';
import { participationData } from '../../db/privacy/personal-data-of-participant.ts';
import { findPerson, type Scope } from '../../db/privacy/persons.ts';
import type { Runtime } from '../runtime.ts';

export interface PersonalData {
  /** The id under which the audit log knows the person. */
  id: string;
  tenantId: string | null;
  data: Record<string, unknown>;
  documents: ExportedDocument[];
  mails: { id: string; content: Buffer }[];
}

/** A consistent snapshot. @throws NotFound when nothing is held about them */
export async function exportPerson(
  { db, providers, keys, now }: Pick<Runtime, 'db' | 'providers' | 'keys' | 'now'>,
  idOrEmail: string,
  scope: Scope = {},
): Promise<PersonalData> {
  const held = await inTransaction(
    db,
    async (trx) => {
      const person = await findPerson(trx, idOrEmail, scope);
      const { account, participations } = person;
      const ofParticipations = await participationData(trx, person, scope);
      const open = (sealed: string) => ifOpened(() => unsealJson(sealed, keys.encryption));
      const ofAccount = await accountData(trx, account, open, scope);
      const audit_log = await auditData(trx, { ...ofAccount, ...ofParticipations }, scope);
      const { documents, ...about } = ofAccount;
      const data = { exported_at: now().toISOString(), ...about, ...ofParticipations, audit_log };
      return { id: account?.id ?? participations[0]?.id ?? '', tenantId: account?.id ?? null, data, documents };
    },
    { isolationLevel: 'repeatable read' },
  );
  const mails: PersonalData['mails'] = [];
  for (const { id } of held.data.participations.flatMap(({ invitations }) => invitations)) {
    const content = await providers.localMails.read(id);
    if (content) mails.push({ id, content });
  }
  return { ...held, mails };
}
