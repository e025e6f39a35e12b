/**
 * Allows `max` calls with the same key within `periodMs`, in this process. Bounds how often the holder of a link makes us call an outside party.
 */
export function rateLimit(max: number, periodMs: number): (key: string) => boolean {
  const counts = new Map<string, number>();
  return (key) => {
    const count = counts.get(key) ?? 0;
    if (count === 0) setTimeout(() => counts.delete(key), periodMs).unref();
    if (count < max) counts.set(key, count + 1);
    return count < max;
  };
}
