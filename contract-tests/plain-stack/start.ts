import { fork } from 'node:child_process';
import { once } from 'node:events';
import { programEnv } from '../../harness/process/process.ts';

export interface PlainStack {
  url: string;
  /** The clock stands still between calls. */
  setNow(moment: Date): Promise<void>;
  stop(): Promise<void>;
}

/** @param env the settings of the service under comparison, with another database */
export async function startPlainStack(env: Record<string, string>): Promise<PlainStack> {
  const program = fork(new URL('program.ts', import.meta.url), { env: { ...programEnv(), ...env } });
  const ended = once(program, 'exit');
  const told = () => Promise.race([once(program, 'message'), ended.then(() => Promise.reject(new Error(FAILED)))]);
  const [url] = await told();
  return {
    url: String(url),
    setNow: async (moment) => {
      program.send(moment.toISOString());
      await told();
    },
    stop: async () => {
      program.disconnect();
      await ended;
    },
  };
}

const FAILED = 'The plain stack ended before its time.';
