/** `npm run mock`: Prism answers from the contract's examples. PORT takes another port than 4010. */
import { styleText } from 'node:util';
import { cut } from '../../core/text.ts';
import { basePath } from '../../harness/contract/contract.ts';
import { commandLine } from '../../harness/process/command-line.ts';
import { onScreen } from '../../harness/process/on-screen.ts';
import { startMock, type Watch } from './mock-server.ts';
import { runOnPort } from './server.ts';

commandLine('[PORT=4010] npm run mock', {});
const strong = (text: string) => styleText('bold', text);
const faint = (text: string) => styleText('dim', text);

/** Columns of a line beside the target. */
const BESIDE = 25;

const watch: Watch = {
  answered({ method, target, status, example = '' }) {
    const time = new Date().toTimeString().slice(0, 8);
    const colour = status < 400 ? 'green' : 'yellow';
    const shown = cut(target, Math.max((process.stdout.columns || Number.POSITIVE_INFINITY) - BESIDE, BESIDE));
    const line = `${faint(time)}  ${styleText(colour, String(status))}  ${method.padEnd(6)} ${shown}${example && faint(`  ${example}`)}`;
    console.log(onScreen(line, '  ', ' '.repeat(17)));
  },
  undelivered: (event) => console.error(onScreen(`Not delivered: ${event}`, '  ', '    ')),
};

await runOnPort(
  'mock',
  (port) => startMock(port, watch),
  (url) => `
  ${styleText(['bold', 'green'], '●')} ${strong('Tenant Screening')} ${faint('is mocked from openapi.yaml: nothing is stored.')}

  ${faint('Base address  ')}${strong(url + basePath)}
  ${faint('Access        ')}any token, any credentials

  ${faint('Ask for a state with the header Prefer:')}

  RUN=${url}${basePath}/tenants/run-forensic/any
  curl -w '\\n' -H 'Authorization: Bearer any' $RUN
  curl -w '\\n' -H 'Authorization: Bearer any' -H Prefer:example=processing $RUN
  curl -w '\\n' -H 'Authorization: Bearer any' -H Prefer:code=404 $RUN

  ${faint('Every state and its name: docs/guides/mocking.md')}
  ${faint('Ctrl+C stops it. Requests are listed below.')}
`,
);
