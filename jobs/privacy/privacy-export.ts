import { accountPart, auditPart, type HeldDocument } from '../../db/privacy/personal-data-of-account.ts';
import { participationPart } from '../../db/privacy/personal-data-of-participant.ts';
import { findPerson } from '../../db/privacy/persons.ts';
import type { Runtime } from '../runtime.ts';

/** Everything that is held about a person. */
export interface HeldAboutPerson {
  /** What the audit log knows the person by. */
  id: string;
  tenantId: string | null;
  data: Record<string, unknown>;
  documents: HeldDocument[];
  mails: { id: string; content: Buffer }[];
}

/** As it is at one moment. @throws NotFound when nothing is held about them */
export async function exportPerson(
  { db, providers, now }: Pick<Runtime, 'db' | 'providers' | 'now'>,
  idOrEmail: string,
): Promise<HeldAboutPerson> {
  const held = await db.transaction(
    async (trx) => {
      const person = await findPerson(trx, idOrEmail);
      const { account, participations } = person;
      const participating = await participationPart(trx, person);
      const hanging = await accountPart(trx, account);
      const audit_log = await auditPart(trx, { ...hanging, ...participating });
      const { documents, ...about } = hanging;
      const data = { exported_at: now().toISOString(), ...about, ...participating, audit_log };
      return { id: account?.id ?? participations[0]?.id ?? '', tenantId: account?.id ?? null, data, documents };
    },
    { isolationLevel: 'repeatable read' },
  );
  const mails: HeldAboutPerson['mails'] = [];
  for (const { id } of held.data.participations.flatMap(({ invitations }) => invitations)) {
    const content = await providers.localMails.read(id);
    if (content) mails.push({ id, content });
  }
  return { ...held, mails };
}
