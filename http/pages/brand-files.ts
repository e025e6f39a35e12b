import { type Response, Router } from 'express';
import { contentDigest } from '../../core/content-digest.ts';
import { NotFound } from '../../core/errors.ts';
import { brandColours, readColour } from '../../core/rules/brand-colours.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { pathText } from '../edge/path-text.ts';

const LOGO = 'logo.png';

/** The path of a logo from the root of the service. */
export function logoPath(digest: string): string {
  return `verify/brand/${digest}/${LOGO}`;
}

/** The path of a colour's stylesheet from the root of the service; it changes with the content. @param colour such as `#0a7d33` */
export function coloursPath(colour: string): string {
  return `verify/brand/${contentDigest(stylesheet(colour))}/${colour.slice(1)}.css`;
}

/** The logos and colours of landlords that hosted pages load. */
export function brandFiles(findLogo: (digest: string) => Promise<Buffer | undefined>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/verify/brand/:digest/:name')
    .get(async (req, res) => {
      const [digest, name] = [pathText(req, 'digest'), pathText(req, 'name')];
      const colour = name.endsWith('.css') ? readColour(name.slice(0, -'.css'.length)) : undefined;
      const logo = name === LOGO ? await findLogo(digest) : undefined;
      if (logo) send(res, 'image/png', logo, true);
      else if (colour) send(res, 'text/css', stylesheet(colour), digest === contentDigest(stylesheet(colour)));
      else throw new NotFound('Resource');
    })
    .all(refuseMethods('GET, HEAD'));
  return router;
}

/** @param isCurrent whether the address matches the content: another version of the service may have produced it */
function send(res: Response, type: string, content: string | Buffer, isCurrent: boolean): void {
  res.set({
    'Cache-Control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-store',
    // The pages require it (COEP), and in a sandboxed frame their own files are cross-origin.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  res.type(type).send(content);
}

/** Overrides the design tokens that all hosted pages share. */
function stylesheet(colour: string): string {
  const { fill, onFill, fillHover, light, dark } = brandColours(colour);
  return `:root {
  --accent: light-dark(${light.accent}, ${dark.accent});
  --accent-ground: light-dark(${light.tint}, ${dark.tint});
  --brand: ${fill};
  --brand-hover: ${fillHover};
  --on-brand: ${onFill};
}
`;
}
