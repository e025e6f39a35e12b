import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent } from 'undici';
import { type AddressPolicy, hostOf, isAllowedIp } from '../core/caller-address.ts';

/** An address led to where we do not connect. The message may be shown. */
export class RefusedAddress extends Error {}

/**
 * Connections to addresses that somebody else gave us: what a name resolves to is checked when it is connected to, so that
 * a name cannot change its mind. A host that is an IP address is not looked up: `checkLiteralHost` is for those.
 */
export function guardedAgent(policy: AddressPolicy, options: Agent.Options & { connectTimeoutMs: number }): Agent {
  const { connectTimeoutMs, ...others } = options;
  return new Agent({ ...others, connect: { timeout: connectTimeoutMs, lookup: guardedLookup(policy) } });
}

/** @throws RefusedAddress */
export function checkLiteralHost(url: string, policy: AddressPolicy): void {
  const host = hostOf(new URL(url));
  if (ipaddr.isValid(host) && !isAllowedIp(host, policy)) throw refused(host);
}

function guardedLookup(policy: AddressPolicy): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const forbidden = addresses.find(({ address }) => !isAllowedIp(address, policy));
      if (forbidden) return callback(refused(forbidden.address), []);
      const [first] = addresses;
      if (options.all || !first) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function refused(address: string): RefusedAddress {
  return new RefusedAddress(`refused to connect: ${address} is not a public address`);
}
