import { html } from '../../../../core/html.ts';
import { durationMs } from '../../../../core/time.ts';
import { createApiKey, setApiKeyExpiry } from '../../../../db/access/api-keys.ts';
import { addMemberKey } from '../../../../db/access/members.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import { revokeKey, rotateKey } from '../../../../jobs/access/keys.ts';
import { oneIn, textIn } from '../../query.ts';
import { action, expectFound, type GoTo, membersOnly, operatorsAnd, type Page, Refused } from '../../route.ts';
import { code } from '../../views/parts.ts';
import { keyOf } from './named.ts';
import { overlapMs, secretPage } from './secrets.ts';

const ENDS = ['7d', '30d', '90d', 'never'] as const;
const MAX_NAME_LENGTH = 100;
const developers = operatorsAnd('admin', 'developer');

export const keyActions = [
  action(
    '/keys',
    membersOnly('admin', 'developer'),
    async (visit, { db, mode }): Promise<Page> => {
      const { t, form, actor, now, scope, visitor } = visit;
      const name = textIn(form, 'name');
      if (name === undefined || name.length > MAX_NAME_LENGTH) throw new Refused(400, t, 'refused.name');
      const { apiKey, clientSecret } = await inTransaction(db, async (trx) => {
        const created = await createApiKey(trx, scope.landlordId, name, now, { mode });
        // Who creates a key sees it; admins see every key anyway.
        await addMemberKey(trx, visitor.id, created.apiKey.id);
        await recordAudit(trx, actor, 'key.create', created.apiKey.id, now);
        return created;
      });
      const before = html`<p>client_id: ${code(apiKey.client_id)}</p>`;
      const title = t.text('secret.of-key', { name });
      const heading = t.rich('secret.of-key', { name });
      return secretPage(visit, `keys/${apiKey.client_id}`, {
        title,
        heading,
        secret: clientSecret,
        formerUntil: null,
        before,
      });
    },
    { needsProof: true },
  ),
  action(
    '/keys/:client_id/rotate',
    developers,
    async (visit, parts): Promise<Page> => {
      const { client_id } = await keyOf(visit, parts);
      const rotated = expectFound(await rotateKey(parts, client_id, overlapMs(visit.form), visit.actor), 'API key');
      if (typeof rotated === 'string') throw new Refused(409, visit.t, 'refused.key-over');
      const { clientSecret: secret, apiKey } = rotated;
      const title = visit.t.text('secret.of-key', { name: apiKey.name });
      const heading = visit.t.rich('secret.of-key', { name: apiKey.name });
      return secretPage(visit, `keys/${client_id}`, {
        title,
        heading,
        secret,
        formerUntil: apiKey.former_secrets_until,
      });
    },
    { needsProof: true },
  ),
  action(
    '/keys/:client_id/expiry',
    developers,
    async (visit, parts): Promise<GoTo> => {
      const { t, form, now, actor } = visit;
      const key = await keyOf(visit, parts);
      const end = oneIn(form, 'end', ENDS);
      if (end === undefined) throw new Refused(400, t, 'refused.end');
      const expiresAt = end === 'never' ? undefined : new Date(now.getTime() + durationMs(end));
      const isChanged = await inTransaction(parts.db, async (trx) => {
        if (!(await setApiKeyExpiry(trx, key.id, expiresAt))) return false;
        await recordAudit(trx, actor, 'key.expire', key.id, now);
        return true;
      });
      return { goTo: `keys/${key.client_id}`, notice: isChanged ? 'expiry' : 'unchanged' };
    },
    { needsProof: true },
  ),
  action(
    '/keys/:client_id/revoke',
    developers,
    async (visit, parts): Promise<GoTo> => {
      const key = await keyOf(visit, parts);
      if (textIn(visit.form, 'confirm') !== key.client_id) throw new Refused(400, visit.t, 'refused.confirm');
      const isRevoked = await revokeKey(parts, key, visit.actor);
      return { goTo: `keys/${key.client_id}`, notice: isRevoked ? 'revoked' : 'unchanged' };
    },
    { needsProof: true },
  ),
];
