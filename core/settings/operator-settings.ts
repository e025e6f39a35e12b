import { valuesOf } from './values.ts';

/** Where probes and metrics are served. Apart from the public port: they show what callers must not see. */
export interface OperatorSettings {
  /** 0 picks a free port. */
  port: number;
  host: string;
}

/** Appends problems to `faults`. @returns undefined when there is no listener for operators */
export function readOperators(
  env: NodeJS.ProcessEnv,
  { port: publicPort }: { port: number },
  faults: string[],
): OperatorSettings | undefined {
  if (!env['OPS_PORT']) return undefined;
  const port = valuesOf(env, faults).wholeNumber('OPS_PORT', 0, 65_535, 0);
  if (port !== 0 && port === publicPort)
    faults.push(`OPS_PORT is ${port}, as PORT is; use another port, which callers cannot reach.`);
  return { port, host: env['OPS_HOST'] || '127.0.0.1' };
}
