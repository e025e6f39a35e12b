import { optional, readerOf, text } from './setting.ts';

/** Where clamd listens; undefined when documents are not scanned. */
export type ScannerSettings = { path: string } | { host: string; port: number } | undefined;

export const scannerSettings = {
  VIRUS_SCANNER: optional(
    text,
    '[Virus scanner](#virus-scanner) (clamd): `tcp://<host>:<port>` or `unix:<path of its socket>`. Set: no document is accepted that it did not clear.',
  ),
};

/** Appends problems to `faults`. */
export function readScanner(env: NodeJS.ProcessEnv, faults: string[]): ScannerSettings {
  const given = readerOf(scannerSettings, env, faults)('VIRUS_SCANNER');
  if (given === undefined) return undefined;
  const { protocol = '', hostname = '', port = '', pathname = '' } = URL.parse(given) ?? {};
  const isBare = given === `${protocol}//${hostname}:${port}`;
  if (protocol === 'tcp:' && isBare && hostname && port)
    return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
  if (protocol === 'unix:' && pathname.startsWith('/'))
    return { path: given.slice('unix:'.length).replace(/^\/\//, '') };
  faults.push('VIRUS_SCANNER must be tcp://<host>:<port> or unix:<path of the socket>, as clamd listens.');
  return undefined;
}
