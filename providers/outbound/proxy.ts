import { request } from 'node:http';
import type { Socket } from 'node:net';
import { getProxyForUrl } from 'proxy-from-env';
import { hostOf, isNamedLoopback, LOOPBACK_IPS } from '../../core/addresses/caller-address.ts';
import { usesProxies } from '../../core/settings/proxy-variables.ts';
import { OutboundError } from './outbound-error.ts';

/**
 * The proxy of a host: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` apply to every HTTP client of the service while Node's own switch
 * `NODE_USE_ENV_PROXY=1` is set, and never to loopback.
 * @throws OutboundError when the setting is not an address
 */
export function proxyOf({ host, port, isTls }: { host: string; port: number; isTls: boolean }): URL | undefined {
  if (!usesProxies(process.env)) return undefined;
  if (isNamedLoopback(host) || LOOPBACK_IPS.includes(host)) return undefined;
  const proxy = getProxyForUrl(`${isTls ? 'https' : 'http'}://${bracketed(host)}:${port}`);
  if (!proxy) return undefined;
  const url = URL.parse(proxy);
  if (url?.protocol !== 'http:') throw new OutboundError('ours', 'HTTPS_PROXY and HTTP_PROXY must begin with http://');
  return url;
}

/**
 * Opens a tunnel (RFC 9110, section 9.3.6) over a connection to the proxy. With the checked address of a host, the proxy reaches exactly
 * what was checked.
 */
export function tunnel(socket: Socket, proxy: URL, target: { host: string; port: number }, signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const { username, password } = proxy;
  const authority = `${bracketed(target.host)}:${target.port}`;
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const sent = request({
    method: 'CONNECT',
    host: hostOf(proxy),
    path: authority,
    headers: { host: authority, ...(username ? { 'proxy-authorization': `Basic ${credentials}` } : {}) },
    createConnection: () => socket,
    signal,
  });
  sent.on('connect', ({ statusCode }) => {
    if (statusCode === 200) resolve(socket);
    else {
      socket.destroy();
      reject(new OutboundError('connect', `the proxy answered ${statusCode}`));
    }
  });
  sent.on('error', (error) => reject(signal.aborted ? signal.reason : error));
  sent.end();
  return promise;
}

export function proxyPort({ port }: URL): number {
  return Number(port || 80);
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
