import { isIP } from 'node:net';
import { howToAllow, isAllowedIp } from '../../core/addresses/address-ranges.ts';
import { type AddressPolicy, isNamedLoopback, LOOPBACK_IPS } from '../../core/addresses/caller-address.ts';
import { RefusedAddress } from './outbound-error.ts';
import { type Resolving, resolveName } from './resolve-name.ts';

/**
 * The addresses of an untrusted host. Connections go to exactly the addresses that were checked, which prevents DNS rebinding.
 * @throws RefusedAddress when one of them is not allowed, UnresolvedName
 */
export async function guardedAddresses(host: string, policy: AddressPolicy, resolving: Resolving): Promise<string[]> {
  if (isIP(host) !== 0) {
    if (!isAllowedIp(host, policy)) throw refused(host);
    return [host];
  }
  if (isNamedLoopback(host)) {
    const allowed = LOOPBACK_IPS.filter((ip) => isAllowedIp(ip, policy));
    if (allowed.length === 0) throw refused('127.0.0.1', host);
    return allowed;
  }
  const addresses = await resolveName(host, resolving);
  const forbidden = addresses.find((address) => !isAllowedIp(address, policy));
  if (forbidden !== undefined) throw refused(forbidden, host);
  return addresses;
}

function refused(ip: string, name?: string): RefusedAddress {
  const leads = name === undefined ? ip : `${name} leads to ${ip}, which`;
  return new RefusedAddress(`refused to connect: ${leads} is not a public address${howToAllow(ip)}`);
}
