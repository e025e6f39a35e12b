import { readFileSync } from 'node:fs';
import { Router } from 'express';
import { contentDigest } from '../../core/content-digest.ts';
import { NotFound } from '../../core/errors.ts';
import { refuseMethods } from './on-error.ts';

interface Source {
  type: string;
  /** The source files, relative to the repository root. */
  from: readonly string[];
}

/**
 * Files that pages load, kept in memory.
 * @param place the path below which they are served, without slashes at its ends
 */
export function ownFiles<Name extends string>(place: string, sources: Readonly<Record<Name, Source>>) {
  const files = new Map(
    Object.entries<Source>(sources).map(([name, { type, from }]) => {
      const content = from.map((path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).join('\n');
      const digest = contentDigest(content);
      return [name, { type, content, digest }];
    }),
  );
  const serve = Router({ caseSensitive: true, strict: true });
  serve
    .route(`/${place}/:digest/:name`)
    .get((req, res) => {
      const file = files.get(req.params.name);
      if (!file) throw new NotFound('Resource');
      // The page comes from another version of the service: serve our file, but do not let it be cached under that address.
      const isCurrent = req.params.digest === file.digest;
      res.setHeader('Cache-Control', isCurrent ? 'public, max-age=31536000, immutable' : 'no-store');
      // The pages require it (COEP), and in a sandboxed frame their own files are cross-origin.
      res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
      res.type(file.type).send(file.content);
    })
    .all(refuseMethods('GET, HEAD'));
  return {
    /** A file's path from the root of the service; it changes with the content. */
    pathOf: (name: Name) => `${place}/${files.get(name)?.digest}/${name}`,
    serve,
  };
}
