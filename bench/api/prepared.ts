import { join } from 'node:path';
import { build } from '../../bin/service/build.ts';
import { issueToken } from '../../core/secrets/tokens.ts';
import { readConfig } from '../../core/settings/config.ts';
import { createApiKey } from '../../db/access/api-keys.ts';
import { createLandlord } from '../../db/access/landlords.ts';
import { execute, type Place } from '../databases.ts';
import { furnish, type Size } from './furnish.ts';
import { settings } from './settings.ts';

/** The caller: an API key with applications. */
export interface Caller {
  /** Accepted for an hour. */
  token: string;
  /** An even sample; a thousand for all callers together. */
  applicationIds: string[];
}

/** A database with its tables, made once and copied for each server. */
export interface Prepared {
  place: Place;
  url: string;
  callers: Caller[];
  copy(): Promise<string>;
}

/** One per connection: creations of one key take turns and would measure the disk's latency. */
const CALLERS = 16;
const SAMPLED = 1_000;

export async function prepare(place: Place, size: Size): Promise<Prepared> {
  const url = await place.make();
  const config = readConfig(settings(url, join(place.folder, 'prepared')));
  // Everything that a first start creates: the tables, the queue's own, and the record of the encryption key.
  const { runtime, close } = await build({ ...config, logLevel: 'silent' });
  await runtime.queue.start([]);
  const now = new Date();
  const landlord = await createLandlord(runtime.db, 'Bench', now);
  const share = { ...size, applications: Math.ceil(size.applications / CALLERS) };
  const callers: Caller[] = [];
  for (let number = 0; number < CALLERS; number++) {
    const { apiKey } = await createApiKey(runtime.db, landlord.id, `Website ${number}`, now, { mode: 'live' });
    const applicationIds = await furnish(runtime.db, apiKey.id, share, SAMPLED / CALLERS, now);
    callers.push({ token: issueToken(apiKey.id, config.keys.token, now), applicationIds });
  }
  await close();
  if (place.name === 'postgres') await execute(url, 'vacuum analyze');
  return { place, url, callers, copy: () => place.make(url) };
}
