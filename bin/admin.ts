/** `npm run admin -- <command>`: the operator's command line. Try --help. */
import { explain } from './admin/cli/faults.ts';
import { ending } from './admin/cli/run-command.ts';
import { createProgram } from './admin/program.ts';
import { useCompileCache } from './service/compile-cache.ts';
import { loadSettingsFile } from './service/settings-file.ts';
import { allowSlowHandshakes } from './service/slow-handshakes.ts';

/** For the last output, and for what closes in time. */
const ABANDON_MS = 500;

useCompileCache();
allowSlowHandshakes();

// The reader of a pipe may stop early, as `| head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  loadSettingsFile();
  const typed = process.argv.slice(2);
  const program = await createProgram(typed);
  await program.parseAsync(typed, { from: 'user' });
  if (ending.mayAbandon) {
    const abandon = setTimeout(() => process.exit(), ABANDON_MS).unref();
    process.once('beforeExit', () => clearTimeout(abandon));
  }
} catch (error) {
  const { exitCode, message } = explain(error);
  if (message) console.error(message);
  process.exitCode = exitCode;
}
