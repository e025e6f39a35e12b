import { execFile } from 'node:child_process';
import { programEnv } from './process.ts';

/** Starts an actual program that must not start. @returns how it ended */
export function refusedStart(
  program: 'api' | 'worker',
  env: Record<string, string>,
): Promise<{ code: unknown; stderr: string }> {
  const file = new URL(`../../bin/${program}.ts`, import.meta.url).pathname;
  return new Promise((resolve) => {
    execFile(process.execPath, [file], { env: { ...programEnv(), ...env } }, (error, _, stderr) =>
      resolve({ code: error?.code, stderr }),
    );
  });
}
