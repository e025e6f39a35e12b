import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** Whether this machine can give a running process a full disk. */
export const canLimitFiles = process.platform === 'linux' && isInstalled('prlimit');

/**
 * From now on, running processes cannot write beyond this many bytes of any file: the write fails as on a full disk. Needs no privileges
 * and no separate file system. Without `bytes`, removes the limit.
 */
export function limitFiles(pids: readonly number[], bytes?: number): void {
  for (const pid of pids) {
    // In a container, not even root may limit other users' processes.
    const { uid, gid } = statSync(`/proc/${pid}`);
    const limit = ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}:`];
    execFileSync('prlimit', limit, process.getuid?.() === 0 ? { uid, gid } : {});
  }
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
