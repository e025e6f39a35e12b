/** `npm run mock`: Prism answers from the contract's examples. PORT takes another port than 4010. */
import { styleText } from 'node:util';
import { basePath } from '../../harness/contract/contract.ts';
import { startMock } from './mock-server.ts';
import { runOnPort } from './server.ts';

const printUndelivered = (undelivered: string) => console.error(`  Not delivered: ${undelivered}`);

await runOnPort(
  'mock',
  (port) => startMock(port, printUndelivered),
  (url) => {
    const strong = (text: string) => styleText('bold', text);
    const faint = (text: string) => styleText('dim', text);
    return `
  ${styleText(['bold', 'green'], '●')} ${strong('Tenant Screening')} ${faint('is mocked from openapi.yaml: nothing is stored.')}

  ${faint('Base address  ')}${strong(url + basePath)}
  ${faint('Access        ')}any token, any credentials

  ${faint('Ask for a state with the header Prefer:')}

  curl -w '\\n' -H 'Authorization: Bearer any' ${url}${basePath}/tenants/run-forensic/any
  curl -w '\\n' -H 'Authorization: Bearer any' -H 'Prefer: example=processing' ${url}${basePath}/tenants/run-forensic/any
  curl -w '\\n' -H 'Authorization: Bearer any' -H 'Prefer: code=404' ${url}${basePath}/tenants/run-forensic/any

  ${faint('Every state and its name: docs/guides/mocking.md')}
  ${faint('Ctrl+C stops it.')}
`;
  },
);
