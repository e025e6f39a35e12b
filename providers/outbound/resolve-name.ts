import { Resolver } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { UnresolvedName } from './outbound-error.ts';

export interface Resolving {
  /** The whole time for a connection, of which name resolution takes a part. */
  connectTimeoutMs: number;
  /** `host:port` each; defaults to the machine's. */
  dnsServers?: readonly string[] | undefined;
  /** How long an answer of one family waits for the other. */
  resolutionDelayMs?: number | undefined;
}

/** The share of the connect timeout that name resolution may take. */
const DNS_SHARE = 0.8;

/** RFC 8305, section 3: the Resolution Delay. */
const RESOLUTION_DELAY_MS = 50;

/**
 * The IPv4 and IPv6 addresses of a name. One family's answer waits only briefly for the other's, because some name servers never answer
 * AAAA (RFC 8305, section 3). Asks name servers directly: `dns.lookup` blocks a thread that file access shares, so unresponsive name
 * servers would exhaust the pool.
 * @throws UnresolvedName
 */
export async function resolveName(name: string, resolving: Resolving): Promise<string[]> {
  const { connectTimeoutMs, dnsServers, resolutionDelayMs = RESOLUTION_DELAY_MS } = resolving;
  const limitMs = connectTimeoutMs * DNS_SHARE;
  const resolver = new Resolver({ timeout: Math.ceil(limitMs / 4), tries: 2 });
  if (dnsServers) resolver.setServers(dnsServers);
  const timer = setTimeout(() => resolver.cancel(), limitMs);
  const answers = [resolver.resolve4(name), resolver.resolve6(name)];
  const families = answers.map(async (answer) => (await answer).length > 0 || Promise.reject());
  await Promise.any(families).then(
    // Cancelling settles the slower question, too.
    () =>
      Promise.race([Promise.allSettled(answers), delay(resolutionDelayMs, undefined, { ref: false })]).then(() =>
        resolver.cancel(),
      ),
    () => {},
  );
  const settled = await Promise.allSettled(answers);
  clearTimeout(timer);
  const addresses = settled.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw unresolved(name, settled);
  return addresses;
}

function unresolved(name: string, answers: PromiseSettledResult<string[]>[]): UnresolvedName {
  const codes = answers.map((answer) => (answer.status === 'rejected' ? String(answer.reason?.code) : 'ENODATA'));
  const code = codes.find((each) => each !== 'ENODATA') ?? 'ENODATA';
  if (code === 'ENOTFOUND') return new UnresolvedName(`the name ${name} does not exist`);
  if (code === 'ENODATA') return new UnresolvedName(`the name ${name} has no address`);
  if (code === 'ETIMEOUT' || code === 'ECANCELLED')
    return new UnresolvedName(`no name server answered for ${name} in time`);
  return new UnresolvedName(`the name ${name} could not be resolved (${code})`);
}
