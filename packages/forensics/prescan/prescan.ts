import { kindOf, otherKind } from '../kind.ts';
import type { Kind } from '../model.ts';
import { prescanPdf } from './pdf.ts';
import { prescanJpeg, prescanPng } from './picture.ts';
import { Refused } from './refused.ts';

interface Prescan {
  kind: Kind;
  /** In pixels; only for a picture. */
  width?: number;
  height?: number;
}

/**
 * Inspects untrusted bytes before any library does.
 * @throws Refused for other formats and for files that would exhaust a reader; Unreadable for a picture without dimensions
 */
export function prescan(bytes: Uint8Array): Prescan {
  const kind = kindOf(bytes);
  if (kind === undefined) throw new Refused(otherKind(bytes));
  if (kind === 'jpeg') return { kind, ...prescanJpeg(bytes) };
  if (kind === 'png') return { kind, ...prescanPng(bytes) };
  prescanPdf(bytes);
  return { kind };
}
