import type { Open } from './contender.ts';
import { graphileAtItsBest, graphileByDefault } from './contenders/graphile.ts';
import { ours } from './contenders/ours.ts';
import { pgBossByDefault, pgBossNotifying } from './contenders/pg-boss.ts';
import { tableLoop } from './contenders/table-loop.ts';

export const contenders = {
  'this service, deliver-webhook': ours('deliver-webhook'),
  'this service, send-invite': ours('send-invite'),
  'graphile-worker at its best': graphileAtItsBest,
  'graphile-worker by default': graphileByDefault,
  'pg-boss by default': pgBossByDefault,
  'pg-boss with NOTIFY': pgBossNotifying,
  'a plain loop over a table': tableLoop,
} satisfies Record<string, Open>;

export type ContenderName = keyof typeof contenders;
