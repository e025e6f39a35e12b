import type { RequestHandler } from 'express';
import { ownFiles } from '../edge/own-files.ts';
import type { Office } from './office.ts';

type Name = Office<never>['name'];

const filesOf = (name: Name) =>
  ownFiles(`${name}/assets`, {
    'office.css': {
      type: 'text/css',
      from: [
        'site/assets/css/tokens.css',
        ...['frame', 'parts', 'forms', 'figures'].map((part) => `http/backoffice/assets/${part}.css`),
        'packages/forensics/report/findings.css',
        'http/backoffice/assets/analysis.css',
        'http/pages/assets/report.css',
      ],
    },
    'live.js': { type: 'text/javascript', from: ['http/backoffice/assets/live.js'] },
    'leave.js': { type: 'text/javascript', from: ['http/backoffice/assets/leave.js'] },
    'wait.js': { type: 'text/javascript', from: ['http/backoffice/assets/wait.js'] },
    'passkeys.js': { type: 'text/javascript', from: ['http/backoffice/assets/passkeys.js'] },
    'favicon.svg': { type: 'image/svg+xml', from: ['site/assets/favicon.svg'] },
  });

const files: Record<Name, ReturnType<typeof filesOf>> = { console: filesOf('console'), desk: filesOf('desk') };

export function officeAssets(name: Name): RequestHandler {
  return files[name].serve;
}

/** A file's path from the root of the service. */
export function assetPath(
  name: Name,
  file: 'office.css' | 'live.js' | 'leave.js' | 'wait.js' | 'passkeys.js' | 'favicon.svg',
): string {
  return files[name].pathOf(file);
}
