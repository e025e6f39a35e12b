import { request } from 'node:http';
import { correlated } from '../../core/correlation.ts';
import type { InTurns } from '../../core/in-turns.ts';
import { partyOfKey } from '../../core/party.ts';
import { until } from '../process/until.ts';

/** How many calls of one API key are under way at a provider. */
const TURNS_OF_A_KEY = 25;

interface Busy<Port> {
  port: InTurns<Port>;
  /** Ends the calls. */
  end(): Promise<void>;
}

/** A provider that has as many calls of an API key under way as it may. @param wrap has it take turns */
export function busyProvider<Port extends { check?(): Promise<void> }>(
  provider: Port,
  wrap: (port: Port) => InTurns<Port>,
  apiKeyId: string | null,
): Busy<Port> {
  const held = Promise.withResolvers<void>();
  const port = wrap({ ...provider, check: () => held.promise });
  const call = () => correlated({ id: 'busy', party: partyOfKey(apiKeyId) }, () => port.check?.());
  const calls = Array.from({ length: TURNS_OF_A_KEY }, call);
  const end = async () => {
    held.resolve();
    await Promise.all(calls);
  };
  return { port, end };
}

/** Sends a request, and disconnects once it waits. */
export async function callAndLeave(url: string, cookie: string, isWaiting: () => Promise<boolean>): Promise<void> {
  const leaving = request(url, { headers: { cookie } }).on('error', () => {});
  leaving.end();
  await until('the request waits for its turn', isWaiting);
  leaving.destroy();
}
