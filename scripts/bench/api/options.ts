import { parseArgs } from 'node:util';
import type { DatabaseName } from './prepared.ts';
import { programs, raw, rawAtOnce, service } from './programs.ts';
import type { Program } from './server.ts';

const parts = ['starts', 'read', 'create', 'pairs'] as const;
export type Part = (typeof parts)[number];

export interface Options {
  databases: DatabaseName[];
  parts: Part[];
  programs: Program[];
  quick: boolean;
  json: string | undefined;
  svg: string | undefined;
}

const peers = programs.filter((program) => program !== service && program !== rawAtOnce);

const USAGE = `Usage: npm run bench -- [--database sqlite|postgres|both] [--only NAME,NAME] [--quick] [--json FILE] [--svg FILE]
NAME is a part (${parts.join(', ')}) or a peer (${peers.map(fileName).join(', ')}).`;

/** What the command line asks for; ends the program when it cannot be understood. */
export function readOptions(): Options {
  const { database, only, quick, json, svg } = read();
  const named = only?.split(',') ?? [];
  const databases = (['sqlite', 'postgres'] as const).filter((name) => [name, 'both'].includes(database));
  const chosenParts = parts.filter((part) => named.includes(part));
  const chosenPeers = peers.filter((program) => named.includes(fileName(program)));
  const known: string[] = [...parts, ...peers.map(fileName)];
  if (databases.length === 0 || named.some((name) => !known.includes(name))) misused();
  return {
    databases,
    parts: chosenParts.length > 0 ? chosenParts : [...parts],
    // All others are compared with these.
    programs: programs.filter(
      (program) => chosenPeers.length === 0 || [raw, rawAtOnce, service, ...chosenPeers].includes(program),
    ),
    quick,
    json,
    svg,
  };
}

function fileName({ file }: Program): string {
  return file.replace(/.*\/|\.ts$/g, '');
}

function read() {
  try {
    const { values } = parseArgs({
      options: {
        database: { type: 'string', default: 'both' },
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        json: { type: 'string' },
        svg: { type: 'string' },
      },
    });
    return values;
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error));
  }
}

function misused(why = ''): never {
  if (why) console.error(why);
  console.error(USAGE);
  process.exit(2);
}
