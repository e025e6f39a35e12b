declare module 'proxy-from-env' {
  /** The proxy that the environment sets for a URL; empty without one. */
  export function getProxyForUrl(url: string): string;
}
