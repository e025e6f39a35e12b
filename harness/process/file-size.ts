import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** Whether this machine can give a running process a full disk. */
export const canLimitFiles = process.platform === 'linux' && isInstalled('prlimit');

/**
 * From now on, running processes cannot write beyond so many bytes of any file: the write fails as it does on a full disk. Needs no rights, and no
 * file system of its own. Without `bytes` the limit ends.
 */
export function limitFiles(pids: readonly number[], bytes?: number): void {
  for (const pid of pids) {
    // Not even root may limit the processes of others in a container.
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
