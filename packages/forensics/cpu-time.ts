/** Processor time that this process used, in seconds: what limits count, so that a busy machine changes no result. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}
