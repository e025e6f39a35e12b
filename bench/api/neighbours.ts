import type { Remote } from '../remote.ts';
import { median, type Result, rounded } from '../result.ts';
import type { Answered, Load } from './load.ts';
import { creates, reads } from './operations.ts';
import type { Prepared } from './prepared.ts';
import { service } from './programs.ts';
import { Server } from './server.ts';

/** The concurrent creations of one key, and how many before it starts over. */
const CONNECTIONS = 300;
const CREATIONS = 1_500;
/** The reads of another key: few, so that they do not slow each other down. */
const READS = 100;
const READS_A_SECOND = 50;
/** With its neighbour, relative to without. */
const MOST = 3;

/** The duration of one key's reads while another key creates as fast as it can: a ratio of medians, in alternating rounds. */
export async function measureNeighbours(
  { loud, quiet }: { loud: Remote<Load>; quiet: Remote<Load> },
  prepared: Prepared,
  rounds: number,
): Promise<Result> {
  const [neighbour, reader] = prepared.callers.map((caller) => ({ ...prepared, callers: [caller] }));
  if (!neighbour || !reader) throw new Error('Two API keys are needed.');
  const server = await Server.start(service, prepared);
  const { url } = server;
  const read = () => quiet.ask('pace', { url, requests: reads(reader, READS) }, READS_A_SECOND);
  const create = () => loud.ask('saturate', { url, requests: creates(neighbour, CREATIONS) }, CONNECTIONS);
  const [alone, beside, created]: Answered[][] = [[], [], []];
  let isReading = false;
  try {
    await create();
    for (let round = 0; round < rounds; round++) {
      alone?.push(await read());
      const reading = read().finally(() => (isReading = false));
      for (isReading = true; isReading; ) created?.push(await create());
      beside?.push(await reading);
    }
  } finally {
    await server.end();
  }
  const of = (all: Answered[] = [], what: keyof Answered) => rounded(median(all.map((answered) => answered[what])));
  const row = (what: string, all?: Answered[]) => ({ what, p50_ms: of(all, 'p50'), p99_ms: of(all, 'p99') });
  return {
    title: `${prepared.place.name}: get-application, while another key creates`,
    rows: [
      row('reads, alone', alone),
      row(`reads, beside ${CONNECTIONS} concurrent creations of another key`, beside),
      row('those creations', created),
    ],
    marks: [
      {
        database: prepared.place.name,
        promise: `read, p50 beside ${CONNECTIONS} creations of another key to alone`,
        value: of(beside, 'p50') / of(alone, 'p50'),
        limit: { most: MOST },
      },
    ],
  };
}
