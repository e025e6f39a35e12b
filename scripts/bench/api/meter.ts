/** Preloaded into every server: tells whoever started it what the process has used. */
export interface Usage {
  /** Of all its threads since its start, in microseconds. */
  cpuMicros: number;
  rssMib: number;
}

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const usage: Usage = { cpuMicros: user + system, rssMib: process.memoryUsage.rss() / 2 ** 20 };
  process.send?.(usage);
});
process.once('disconnect', () => process.exit());
