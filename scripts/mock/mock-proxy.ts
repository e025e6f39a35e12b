/**
 * `npm run mock:proxy`: Prism checks what passes between a client and the running service, by default
 * http://127.0.0.1:3000/api/v1; `npm run mock:proxy -- <base address>` names another. PORT takes another port than 4010.
 */
import { styleText } from 'node:util';
import { basePath } from '../../harness/contract/contract.ts';
import { commandLine } from '../../harness/process/command-line.ts';
import { onScreen } from '../../harness/process/on-screen.ts';
import { type Finding, startProxy } from './proxy-server.ts';
import { runOnPort } from './server.ts';

const { positionals } = commandLine('[PORT=4010] npm run mock:proxy [-- ADDRESS]', { allowPositionals: true });
const upstream = positionals[0] ?? `http://127.0.0.1:3000${basePath}`;
if (!URL.canParse(upstream) || !new URL(upstream).pathname.replace(/\/$/, '').endsWith(basePath)) {
  console.error(`The base address of a service ends with ${basePath}, unlike ${upstream}.`);
  process.exit(2);
}

await runOnPort(
  'mock:proxy',
  (port) => startProxy(port, upstream, print),
  (url) => `
  ${styleText(['bold', 'green'], '●')} ${styleText('bold', 'Prism')} ${styleText('dim', 'checks what passes against openapi.yaml.')}

  ${styleText('dim', 'Base address  ')}${styleText('bold', url + basePath)}
  ${styleText('dim', 'Service       ')}${upstream}

  ${styleText('dim', 'What breaks the contract is printed here and told in the header')}
  ${styleText('dim', 'sl-violations. Ctrl+C stops it.')}
`,
);

function print({ where, status, side, what }: Finding): void {
  const mark = side === 'response' ? styleText('red', '✘ response') : styleText('yellow', '! request ');
  console.log(onScreen(`${mark} ${where} ${styleText('dim', String(status))}  ${what}`, '  ', '      '));
}
