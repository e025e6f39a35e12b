import type { Request } from 'express';

/** Longer than what browsers send. Each language costs as much as there are known ones. */
const MAX_LENGTH = 1_000;

/** The first of the known languages that the browser prefers. */
export function acceptedLanguage<Known extends string>(req: Request, known: readonly Known[]): Known | undefined {
  const { headers } = req;
  const given = headers['accept-language'];
  if (given !== undefined && given.length > MAX_LENGTH) headers['accept-language'] = given.slice(0, MAX_LENGTH);
  const accepted = req.acceptsLanguages(...known);
  return known.find((language) => language === accepted);
}
