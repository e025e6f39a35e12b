/** Node's own switch, without which no HTTP client of the service uses a proxy. */
const SWITCH = 'NODE_USE_ENV_PROXY';
const SCHEMES = ['https', 'http'] as const;

/** @returns whether the HTTP clients use the proxies that the environment names */
export function usesProxies(env: NodeJS.ProcessEnv): boolean {
  return env[SWITCH] === '1';
}

/**
 * Checks the variables by which programs find their proxy, as `proxy-from-env` reads them: an address without a scheme has that of the
 * requests. The service speaks plain HTTP with a proxy. Appends problems to `faults`.
 */
export function checkProxies(env: NodeJS.ProcessEnv, faults: string[]): void {
  if (!usesProxies(env)) return;
  const unusable = SCHEMES.flatMap((scheme) => {
    const names = [`${scheme}_proxy`, `${scheme}_proxy`.toUpperCase(), 'all_proxy', 'ALL_PROXY'];
    const name = names.find((one) => env[one]);
    const given = name === undefined ? undefined : env[name];
    if (name === undefined || given === undefined) return [];
    const address = given.includes('://') ? given : `${scheme}://${given}`;
    return URL.parse(address)?.protocol === 'http:' ? [] : [name];
  });
  for (const name of new Set(unusable))
    faults.push(
      `${name} must begin with http://, as the service speaks no TLS with a proxy; use http://<host>:<port>.`,
    );
}
