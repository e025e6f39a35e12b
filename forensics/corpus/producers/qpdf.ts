import { fileURLToPath } from 'node:url';
import load, { type QpdfInstance } from '@neslinesli93/qpdf-wasm';

/** What the library has and its types leave out. */
type Files = QpdfInstance['FS'] & { writeFile(path: string, data: Uint8Array): void };

/** Runs qpdf on a file in a memory of its own. @throws when qpdf says more than a warning */
export async function qpdf(bytes: Uint8Array, options: readonly string[]): Promise<Uint8Array> {
  const wasm = fileURLToPath(new URL('qpdf.wasm', import.meta.resolve('@neslinesli93/qpdf-wasm')));
  const said: string[] = [];
  const silent = { noInitialRun: true, print: () => undefined, printErr: (line: string) => said.push(line) };
  const instance = await load({ locateFile: () => wasm, ...silent });
  const files = instance.FS as Files;
  files.writeFile('/in.pdf', bytes);
  // Which qpdf refuses for what it encrypts.
  const ids = options.includes('--encrypt') ? [] : ['--deterministic-id'];
  const status = instance.callMain(['/in.pdf', ...ids, ...options, '/out.pdf']);
  if (status !== 0 && status !== 3) throw new Error(`qpdf ${options.join(' ')}: ${said.join(' ')}`);
  return files.readFile('/out.pdf').slice();
}
