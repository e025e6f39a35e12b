import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Router } from 'express';
import { NotFound } from '../../core/errors.ts';
import { refuseMethods } from '../edge/on-error.ts';

/** The sources of each file. The pages share the colours of the reference site. */
const sources = {
  'pages.css': {
    type: 'text/css',
    from: [
      'site/assets/css/tokens.css',
      ...['frame', 'form', 'capture', 'documents', 'mailbox'].map((name) => `http/pages/assets/${name}.css`),
    ],
  },
  'pages.js': { type: 'text/javascript', from: ['http/pages/assets/pages.js'] },
  'documents.js': { type: 'text/javascript', from: ['http/pages/assets/documents.js'] },
  'favicon.svg': { type: 'image/svg+xml', from: ['site/assets/favicon.svg'] },
};

export type AssetName = keyof typeof sources;

const assets = new Map(
  Object.entries(sources).map(([name, { type, from }]) => {
    const content = from.map((path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).join('\n');
    const digest = createHash('sha256').update(content).digest('base64url').slice(0, 22);
    return [name, { type, content, digest }];
  }),
);

/** A file's path from the root of the service; it changes with the content. */
export function assetPath(name: AssetName): string {
  return `verify/assets/${assets.get(name)?.digest}/${name}`;
}

/** Our own files that the hosted pages load. */
export const hostedAssets = Router({ caseSensitive: true, strict: true });

hostedAssets
  .route('/verify/assets/:digest/:name')
  .get((req, res) => {
    const asset = assets.get(req.params.name);
    if (!asset) throw new NotFound('Resource');
    // The page is from another version of the service: serve our file, but do not let it be cached under that address.
    const isCurrent = req.params.digest === asset.digest;
    res.setHeader('Cache-Control', isCurrent ? 'public, max-age=31536000, immutable' : 'no-store');
    // The pages require it (COEP), and in a sandboxed frame their own files are cross-origin.
    res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    res.type(asset.type).send(asset.content);
  })
  .all(refuseMethods('GET, HEAD'));
