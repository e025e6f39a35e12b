/** Whether faults last as long and occur as often as documented. */
export const isThorough = process.env['FAULTS'] === 'thorough';

/** How long a test waits for a fact. Waiting that succeeds costs nothing; `npm run faults` has far more work to wait for. */
export const PATIENCE_MS = isThorough ? 600_000 : 120_000;
