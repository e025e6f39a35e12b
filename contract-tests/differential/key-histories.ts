import { hashSecret } from '../../core/secrets/secrets.ts';
import { noteApiKeyUse, revokeApiKey } from '../../db/access/api-keys.ts';
import { authenticate, expectStatus, type Histories, list, propertyOf, tokenOf } from './asking.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Each step must take effect at once: no cached state may outlive it. */
export const keyHistories: Histories = {
  'a token lives for an hour to the millisecond, however often it was used': async (stacks) => {
    const caller = await stacks.caller();
    await expectStatus(stacks, 200, list(caller), list(caller));
    stacks.pass(HOUR_MS - 10_000);
    await expectStatus(stacks, 200, list(caller), list(caller));
    const until = JSON.parse(Buffer.from(caller.token.split('.')[1] ?? '', 'base64url').toString()).exp * 1000;
    for (const [moment, status] of [
      [until - 1, 200],
      [until, 401],
      [until + 1, 401],
      [until + HOUR_MS, 401],
    ] as const) {
      stacks.pass(moment - stacks.clock().getTime());
      await expectStatus(stacks, status, list(caller));
    }
  },
  'a revoked key is refused from the next request on, with each of its tokens and for new ones': async (stacks) => {
    const [caller, other] = [await stacks.caller(), await stacks.caller()];
    const later = await tokenOf(stacks, caller);
    const all = [caller, { ...caller, token: later }];
    for (const each of [...all, ...all, other]) await expectStatus(stacks, 200, list(each));
    await stacks.inBoth((db) => revokeApiKey(db, caller.clientId, stacks.clock()));
    for (const each of [...all, ...all]) await expectStatus(stacks, 401, list(each));
    await expectStatus(stacks, 401, authenticate(caller));
    await expectStatus(stacks, 200, list(other), authenticate(other));
  },
  'a key that expires is refused from then on, and accepted again when its end is postponed': async (stacks) => {
    const caller = await stacks.caller();
    const endsAt = (moment: Date | null) =>
      stacks.inBoth((db) =>
        db('api_keys')
          .where({ id: caller.apiKeyId })
          .update({ expires_at: moment?.toISOString() ?? null }),
      );
    await expectStatus(stacks, 200, list(caller));
    await endsAt(new Date(stacks.clock().getTime() + 60_000));
    await expectStatus(stacks, 200, list(caller), list(caller));
    stacks.pass(70_000);
    await expectStatus(stacks, 401, list(caller), list(caller), authenticate(caller));
    await endsAt(new Date(stacks.clock().getTime() + 60_000));
    await expectStatus(stacks, 200, list(caller), authenticate(caller));
    await endsAt(null);
    stacks.pass(120_000);
    await expectStatus(stacks, 200, list(caller));
  },
  'a key that is deleted, or belongs to another landlord now, is seen as what it is': async (stacks) => {
    const caller = await stacks.caller();
    const property = propertyOf(stacks, caller);
    await expectStatus(stacks, 200, property, property);
    const { other } = stacks.test.landlords;
    await stacks.inBoth((db) => db('api_keys').where({ id: caller.apiKeyId }).update({ landlord_id: other }));
    await expectStatus(stacks, 404, property, property);
    await expectStatus(stacks, 200, list(caller));
    await stacks.inBoth((db) => db('api_keys').where({ id: caller.apiKeyId }).delete());
    await expectStatus(stacks, 401, property, list(caller), authenticate(caller));
  },
  'a replaced secret is accepted until its time is over': async (stacks) => {
    const caller = await stacks.caller();
    const [id, renewed] = [crypto.randomUUID(), { ...caller, clientSecret: 'sandbox_another' }];
    await expectStatus(stacks, 200, authenticate(caller));
    await expectStatus(stacks, 401, authenticate(renewed));
    const former = { id, api_key_id: caller.apiKeyId, client_secret_hash: hashSecret(caller.clientSecret) };
    const expires_at = new Date(stacks.clock().getTime() + 60_000).toISOString();
    await stacks.inBoth(async (db) => {
      await db('api_keys')
        .where({ id: caller.apiKeyId })
        .update({ client_secret_hash: hashSecret(renewed.clientSecret) });
      await db('former_client_secrets').insert({ ...former, expires_at });
    });
    await expectStatus(stacks, 200, authenticate(caller), authenticate(renewed));
    stacks.pass(60_000);
    await expectStatus(stacks, 401, authenticate(caller));
    await expectStatus(stacks, 200, authenticate(renewed));
  },
  'the use of a key is noted to the minute': async (stacks) => {
    const caller = await stacks.caller();
    for (let minute = 0; minute < 3; minute++) {
      await expectStatus(stacks, 200, list(caller), list(caller));
      stacks.pass(60_000);
    }
    await stacks.inBoth((db) => noteApiKeyUse(db, caller.apiKeyId, new Date(stacks.clock().getTime() + DAY_MS)));
    await expectStatus(stacks, 200, list(caller));
  },
};
