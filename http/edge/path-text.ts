import type { Request } from 'express';
import { NotFound } from '../../core/errors.ts';
import { isStorableText } from '../../core/text.ts';

/** A parameter of the path, for a query. @throws NotFound for text that no row can hold, which Postgres refuses to compare */
export function pathText({ params }: Pick<Request, 'params'>, name: string): string {
  const text = String(params[name] ?? '');
  if (!isStorableText(text)) throw new NotFound('Resource');
  return text;
}
