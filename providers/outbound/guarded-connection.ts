import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { howToAllow, isAllowedIp } from '../../core/addresses/address-ranges.ts';
import { type AddressPolicy, isNamedLoopback, LOOPBACK_IPS } from '../../core/addresses/caller-address.ts';
import { RefusedAddress, UnresolvedName } from './outbound-error.ts';

export interface GuardedConnections {
  /** Covers name resolution and the TLS handshake. */
  connectTimeoutMs: number;
  /** `host:port` each; defaults to the machine's. */
  dnsServers?: readonly string[] | undefined;
}

/** The share of the connect timeout that name resolution may take. */
const DNS_SHARE = 0.8;

/**
 * Connections to untrusted addresses. A name is resolved once, and the connection goes to the checked address, which prevents DNS
 * rebinding. TLS is verified whatever the environment says. HTTP/1.1 only: one request per connection, so none blocks another.
 */
export function guardedAgent(policy: AddressPolicy, options: GuardedConnections & Agent.Options): Agent {
  const { connectTimeoutMs, dnsServers, ...others } = options;
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    rejectUnauthorized: true,
    lookup: guardedLookup((name) => addressesOf(name, policy, { connectTimeoutMs, dnsServers })),
  });
  return new Agent({
    ...others,
    allowH2: false,
    connect: (target, callback) => {
      const { hostname } = target;
      // IP addresses bypass the lookup.
      if (isIP(hostname) === 0 || isAllowedIp(hostname, policy)) connect(target, callback);
      else queueMicrotask(() => callback(refused(hostname), null));
    },
  });
}

function guardedLookup(resolve: (name: string) => Promise<LookupAddress[]>): LookupFunction {
  return (name, options, callback) => {
    resolve(name).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all || !first) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, []),
    );
  };
}

/** @throws RefusedAddress, UnresolvedName */
async function addressesOf(
  name: string,
  policy: AddressPolicy,
  connections: GuardedConnections,
): Promise<LookupAddress[]> {
  if (isNamedLoopback(name)) {
    const allowed = LOOPBACK_IPS.filter((ip) => isAllowedIp(ip, policy));
    if (allowed.length === 0) throw refused('127.0.0.1', name);
    return allowed.map(withFamily);
  }
  const addresses = await askFor(name, connections);
  const forbidden = addresses.find((address) => !isAllowedIp(address, policy));
  if (forbidden !== undefined) throw refused(forbidden, name);
  return addresses.map(withFamily);
}

/** `dns.lookup` blocks a thread that file access shares: unresponsive name servers would exhaust the pool. */
async function askFor(name: string, { connectTimeoutMs, dnsServers }: GuardedConnections): Promise<string[]> {
  const limitMs = connectTimeoutMs * DNS_SHARE;
  const resolver = new Resolver({ timeout: Math.ceil(limitMs / 4), tries: 2 });
  if (dnsServers) resolver.setServers(dnsServers);
  const timer = setTimeout(() => resolver.cancel(), limitMs);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  clearTimeout(timer);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw unresolved(name, answers);
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

function refused(ip: string, name?: string): RefusedAddress {
  const leads = name === undefined ? ip : `${name} leads to ${ip}, which`;
  return new RefusedAddress(`refused to connect: ${leads} is not a public address${howToAllow(ip)}`);
}

function withFamily(address: string): LookupAddress {
  return { address, family: isIP(address) };
}
