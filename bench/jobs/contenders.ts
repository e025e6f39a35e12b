import type { Open } from './contender.ts';
import { ours } from './contenders/ours.ts';
import { pgBossByDefault, pgBossNotifying } from './contenders/pg-boss.ts';
import { tableLoop } from './contenders/table-loop.ts';

/** In a separate package, which the benches install and the compiler does not follow. */
const GRAPHILE = new URL('../peers/graphile.ts', import.meta.url).href;

export const contenders = {
  'this service, deliver-webhook': ours('deliver-webhook'),
  'this service, send-invite': ours('send-invite'),
  'graphile-worker at its best': graphile('graphileAtItsBest'),
  'graphile-worker by default': graphile('graphileByDefault'),
  'pg-boss by default': pgBossByDefault,
  'pg-boss with NOTIFY': pgBossNotifying,
  'a plain loop over a table': tableLoop,
} satisfies Record<string, Open>;

export type ContenderName = keyof typeof contenders;

function graphile(setting: 'graphileByDefault' | 'graphileAtItsBest'): Open {
  return async (databaseUrl) => {
    const settings: Record<typeof setting, Open> = await import(GRAPHILE);
    return settings[setting](databaseUrl);
  };
}
