/** The version of the service, as in package.json. */
export const VERSION = '1.1.0';

/** Compares versions such as `1.10.0`. */
export function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0;
}
