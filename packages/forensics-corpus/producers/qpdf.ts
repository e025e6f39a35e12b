import { fileURLToPath } from 'node:url';
import load, { type QpdfInstance } from '@neslinesli93/qpdf-wasm';

/** Members of the library that are missing from its types. */
type Files = QpdfInstance['FS'] & { writeFile(path: string, data: Uint8Array): void };

/** Exit codes of success, with or without warnings about the input. */
const DONE = [0, 3];

/** Runs qpdf on a file in an in-memory file system. @throws when it writes no file */
export async function qpdf(bytes: Uint8Array, options: readonly string[]): Promise<Uint8Array> {
  const wasm = fileURLToPath(new URL('qpdf.wasm', import.meta.resolve('@neslinesli93/qpdf-wasm')));
  // Missing from the library's types; without it, qpdf runs once on import.
  const settings = { locateFile: () => wasm, noInitialRun: true };
  const instance = await load(settings);
  const files = instance.FS as Files;
  files.writeFile('/in.pdf', bytes);
  // qpdf refuses this option when it encrypts.
  const ids = options.includes('--encrypt') ? [] : ['--deterministic-id'];
  const status = instance.callMain(['/in.pdf', '--no-warn', ...ids, ...options, '/out.pdf']);
  if (!DONE.includes(status)) throw new Error(`qpdf ${options.join(' ')} ends with ${status}.`);
  return files.readFile('/out.pdf').slice();
}
