import { ownFiles } from '../edge/own-files.ts';

/** The sources of each file. The pages share the colours of the reference site. */
const sources = {
  'pages.css': {
    type: 'text/css',
    from: [
      'site/assets/css/tokens.css',
      ...['frame', 'form', 'capture', 'documents', 'home', 'languages', 'mailbox', 'bank', 'report'].map(
        (name) => `http/pages/assets/${name}.css`,
      ),
    ],
  },
  'pages.js': { type: 'text/javascript', from: ['http/pages/assets/pages.js'] },
  'documents.js': { type: 'text/javascript', from: ['http/pages/assets/documents.js'] },
  'favicon.svg': { type: 'image/svg+xml', from: ['site/assets/favicon.svg'] },
};

export type AssetName = keyof typeof sources;

const files = ownFiles('verify/assets', sources);

/** A file's path from the root of the service; it changes with the content. */
export const assetPath = files.pathOf;

/** Our own files that the hosted pages load. */
export const hostedAssets = files.serve;
