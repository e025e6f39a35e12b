import { html } from '../../../../core/html.ts';
import { durationMs } from '../../../../core/time.ts';
import { isInForce } from '../../../../db/access/api-key-states.ts';
import { expireKey, revokeKey, rotateKey } from '../../../../jobs/access/keys.ts';
import { textIn } from '../../query.ts';
import { action, expectFound, membersOnly, operatorsAnd, proven, Refused } from '../../route.ts';
import { code } from '../../views/parts.ts';
import { givenName, givenOne } from '../given.ts';
import { newKey } from '../key-choice.ts';
import { keyOf } from './named.ts';
import { secretPage, withOverlap } from './secrets.ts';

export const KEY_ENDS = ['7d', '30d', '90d', 'never'] as const;

const developers = proven(operatorsAnd('admin', 'developer'));

export const keyActions = [
  action('/keys', proven(membersOnly('admin', 'developer')), async (visit, parts) => {
    const name = givenName(visit);
    const { apiKey, clientSecret: secret } = await newKey(visit, parts, name);
    const before = html`<p>client_id: ${code(apiKey.client_id)}</p>`;
    return secretPage(visit, `keys/${apiKey.client_id}`, { of: { name }, secret, formerUntil: null, before });
  }),
  action('/keys/:client_id/rotate', developers, async (visit, parts) => {
    const { client_id } = await keyOf(visit, parts);
    const found = await withOverlap(visit, (overlapMs) => rotateKey(parts, client_id, overlapMs, visit.actor));
    const rotated = expectFound(found, 'API key');
    if (typeof rotated === 'string') throw new Refused(409, visit.t, 'refused.key-over');
    const { clientSecret: secret, apiKey } = rotated;
    const formerUntil = apiKey.former_secrets_until;
    return secretPage(visit, `keys/${client_id}`, { of: apiKey, secret, formerUntil });
  }),
  action('/keys/:client_id/expiry', developers, async (visit, parts) => {
    const key = await keyOf(visit, parts);
    // A key that has expired is in force again with a later end: members cannot have more keys than they may create.
    if (visit.scope.of === 'one landlord' && !isInForce(key, visit.now)) throw new Refused(409, visit.t, 'refused.key');
    const end = givenOne(visit, 'end', KEY_ENDS, 'refused.end');
    const expiresAt = end === 'never' ? undefined : new Date(visit.now.getTime() + durationMs(end));
    const isChanged = await expireKey(parts, key, expiresAt, visit.actor);
    return { goTo: `keys/${key.client_id}`, notice: isChanged ? 'expiry' : 'unchanged' };
  }),
  action('/keys/:client_id/revoke', developers, async (visit, parts) => {
    const key = await keyOf(visit, parts);
    if (textIn(visit.form, 'confirm') !== key.client_id)
      throw new Refused(400, visit.t, 'refused.confirm', {}, 'confirm');
    const isRevoked = await revokeKey(parts, key, visit.actor);
    return { goTo: `keys/${key.client_id}`, notice: isRevoked ? 'revoked' : 'unchanged' };
  }),
];
