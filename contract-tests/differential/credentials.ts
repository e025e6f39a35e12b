import { forgeries } from '../access/token-forgeries.ts';
import { schemeOf } from '../properties/asked.ts';
import { badBasic, badTokens } from '../properties/bad-credentials.ts';
import type { Call } from '../properties/curl.ts';
import type { World } from '../properties/world.ts';
import { goodCalls, withHeader } from './good-calls.ts';

/** Each bad credential after the good one that it is derived from, which has just been accepted. */
export async function* badCredentials(world: World): AsyncGenerator<Call> {
  for await (const { operation, call } of goodCalls(world)) {
    if (!['generateToken', 'getApplication'].includes(operation.operationId)) continue;
    const table = schemeOf(operation) === 'Basic' ? badBasic : badTokens;
    for (const made of Object.values(table)) {
      yield withHeader(call, 'authorization', ...made(world));
      yield call;
    }
  }
}

/** Tokens derived from a good one, which is accepted both before and after. */
export async function* forgedTokens(world: World): AsyncGenerator<Call> {
  const { owner, test } = world;
  const ids = { apiKeyId: owner.apiKeyId, clientId: owner.clientId, landlordId: test.landlords.ours };
  const forge = { token: owner.token, ours: test.service.runtime.keys.token[0], ...ids };
  const call = { method: 'GET', path: '/api/v1/property-management/workspaces', headers: [] };
  const asking = (token: string): Call => withHeader(call, 'authorization', `Bearer ${token}`);
  yield asking(forge.token);
  for (const forged of Object.values(forgeries).flatMap((table) => Object.values(table))) yield asking(forged(forge));
  for (let place = 0; place < forge.token.length; place += 7) {
    const other = forge.token[place] === 'A' ? 'B' : 'A';
    yield asking(forge.token.slice(0, place) + other + forge.token.slice(place + 1));
  }
  const [scheme, token] = ['Bearer', forge.token];
  for (const value of [
    ...[`${scheme}  ${token}`, `bearer ${token}`, `BEARER ${token}`, ` ${scheme} ${token} `, `${scheme} ${token} `],
    ...[
      `${scheme} ${token}, ${scheme} ${token}`,
      `${scheme} ${token}=`,
      `${scheme} ${token}.`,
      `${scheme} ${token.toLowerCase()}`,
    ],
    ...[
      `${scheme}\t${token}`,
      `${scheme} ${token}\t`,
      `${token} ${scheme}`,
      `Basic ${token}`,
      `${scheme} ${encodeURIComponent(`${token} `)}`,
    ],
  ])
    yield withHeader(call, 'authorization', value);
  yield asking(forge.token);
}
