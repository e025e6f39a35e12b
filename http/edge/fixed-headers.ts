/** What every answer carries, unless its page has headers of its own: it is not sniffed, loads nothing, and is shown in no frame. */
export const CLOSED: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** HSTS for a year. @param url at which browsers reach us; below a path, the host is not ours alone, so its subdomains are left out */
export function httpsOnly(url: string): Record<string, string> {
  const { protocol, pathname } = new URL(url);
  if (protocol !== 'https:') return {};
  return { 'Strict-Transport-Security': `max-age=31536000${pathname === '/' ? '; includeSubDomains' : ''}` };
}
