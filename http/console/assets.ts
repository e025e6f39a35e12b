import { ownFiles } from '../edge/own-files.ts';

const { pathOf, serve } = ownFiles('console/assets', {
  'console.css': {
    type: 'text/css',
    from: [
      'site/assets/css/tokens.css',
      ...['frame', 'parts', 'forms', 'figures'].map((name) => `http/console/assets/${name}.css`),
      'packages/forensics/report/findings.css',
      'http/console/assets/analysis.css',
    ],
  },
  'live.js': { type: 'text/javascript', from: ['http/console/assets/live.js'] },
  'favicon.svg': { type: 'image/svg+xml', from: ['site/assets/favicon.svg'] },
});

export const assetPath = pathOf;
export const consoleAssets = serve;
