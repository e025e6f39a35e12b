/** CPU time used by this process, in seconds. Limits count it so that a busy machine changes no result. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}
