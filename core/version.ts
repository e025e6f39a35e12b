/** The version of the service, as in package.json. */
export const VERSION = '1.1.0';

/** Compares versions such as `1.10.0` part by part. */
export function isOlder(version: string, than: string): boolean {
  const parts = than.split('.').map(Number);
  const [difference = 0] = version
    .split('.')
    .map((part, place) => Number(part) - (parts[place] ?? 0))
    .filter((gap) => gap !== 0);
  return difference < 0;
}
