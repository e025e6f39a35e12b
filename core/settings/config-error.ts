/** Invalid settings. The message lists every fault on its own line. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[], hint = '') {
    super(`The service cannot start:\n${faults.map((fault) => `  - ${fault}`).join('\n')}${hint && `\n${hint}`}`);
    this.faults = faults;
  }
}
