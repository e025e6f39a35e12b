import ipaddr from 'ipaddr.js';
import { hasOneReading, type Network } from '../addresses/address-ranges.ts';
import { type AddressPolicy, isNamedLoopback } from '../addresses/caller-address.ts';
import { processSettings } from './process-settings.ts';
import { optional, readerOf, text } from './setting.ts';

const V4_BITS = 32;
const V6_BITS = 128;

export const addressSettings = {
  OUTBOUND_ALLOW: optional(
    text,
    '[Private networks](webhooks.md#private-addresses) that callers may use, such as `10.0.0.0/8`.',
  ),
  TRUSTED_PROXIES: optional(text, 'Proxies whose `X-Forwarded-For` is trusted: addresses or networks.'),
};

/**
 * The policy for caller-supplied addresses. Loopback is allowed in a sandbox that only its own machine can reach; elsewhere, strangers
 * could make us call local services. Appends problems to `faults`.
 */
export function readAddresses(env: NodeJS.ProcessEnv, mode: 'sandbox' | 'live', faults: string[]): AddressPolicy {
  const allow = readNetworks('OUTBOUND_ALLOW', env, faults);
  const host = readerOf(processSettings, env, faults)('HOST');
  return { allowLoopback: mode === 'sandbox' && isLoopback(host), requireHttps: mode === 'live', allow };
}

function isLoopback(host: string): boolean {
  return ipaddr.isValid(host) ? ipaddr.process(host).range() === 'loopback' : isNamedLoopback(host.toLowerCase());
}

/** The proxies whose `X-Forwarded-For` is trusted. Appends problems to `faults`. */
export function readTrustedProxies(env: NodeJS.ProcessEnv, faults: string[]): Network[] {
  return readNetworks('TRUSTED_PROXIES', env, faults);
}

function readNetworks(name: keyof typeof addressSettings, env: NodeJS.ProcessEnv, faults: string[]): Network[] {
  const texts = (readerOf(addressSettings, env, faults)(name) ?? '').split(/[\s,]+/).filter(Boolean);
  return texts.flatMap((text) => {
    const network = readNetwork(text);
    if (!network)
      faults.push(
        `${name} has "${text}"; use networks such as 10.0.0.0/8 or fd00::/8, or addresses, separated by commas.`,
      );
    return network ? [network] : [];
  });
}

/** Undefined when invalid or ambiguous: octal numbers, or bits beyond the prefix. */
function readNetwork(text: string): Network | undefined {
  const [address = '', prefix, more] = text.split('/');
  if (more !== undefined || !isPlain(address)) return undefined;
  const network = ipaddr.parse(address);
  const bits = network.kind() === 'ipv4' ? V4_BITS : V6_BITS;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (!(length <= bits) || hasBitsBeyond(network, length)) return undefined;
  return mappedAsV4(network, length);
}

function isPlain(address: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(address) || (ipaddr.IPv6.isValid(address) && hasOneReading(address));
}

function hasBitsBeyond(network: ipaddr.IPv4 | ipaddr.IPv6, length: number): boolean {
  const bits = network.toByteArray().map((byte) => byte.toString(2).padStart(8, '0'));
  return bits.join('').slice(length).includes('1');
}

function mappedAsV4(network: ipaddr.IPv4 | ipaddr.IPv6, length: number): Network {
  if (network instanceof ipaddr.IPv4 || !network.isIPv4MappedAddress() || length < V6_BITS - V4_BITS)
    return [network, length];
  return [network.toIPv4Address(), length - (V6_BITS - V4_BITS)];
}
