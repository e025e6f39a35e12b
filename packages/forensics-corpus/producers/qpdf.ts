import { fileURLToPath } from 'node:url';
import load, { type QpdfInstance } from '@neslinesli93/qpdf-wasm';

/** Members of the library that its types lack. */
type Files = QpdfInstance['FS'] & { writeFile(path: string, data: Uint8Array): void };

/** With warnings about the input, which are of no interest here. */
const DONE = [0, 3];

/** Runs qpdf on a file in a memory of its own. @throws when it does not write one */
export async function qpdf(bytes: Uint8Array, options: readonly string[]): Promise<Uint8Array> {
  const wasm = fileURLToPath(new URL('qpdf.wasm', import.meta.resolve('@neslinesli93/qpdf-wasm')));
  // Typed as if it took nothing else; without this it runs once on import.
  const settings = { locateFile: () => wasm, noInitialRun: true };
  const instance = await load(settings);
  const files = instance.FS as Files;
  files.writeFile('/in.pdf', bytes);
  // Which qpdf refuses for what it encrypts.
  const ids = options.includes('--encrypt') ? [] : ['--deterministic-id'];
  const status = instance.callMain(['/in.pdf', '--no-warn', ...ids, ...options, '/out.pdf']);
  if (!DONE.includes(status)) throw new Error(`qpdf ${options.join(' ')} ends with ${status}.`);
  return files.readFile('/out.pdf').slice();
}
