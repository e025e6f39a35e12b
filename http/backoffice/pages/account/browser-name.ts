const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const;
const SYSTEMS = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac OS X', 'Linux'] as const;

/** Such as "Firefox, Windows". @param agent what the browser calls itself */
export function browserName(agent: string | null): string | undefined {
  const browser = BROWSERS.find((name) => agent?.includes(`${name}/`));
  const system = SYSTEMS.find((name) => agent?.includes(name));
  const names = [
    browser && { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' }[browser],
    system,
  ];
  return names.filter((name) => name !== undefined).join(', ') || undefined;
}
