import type { Fingerprint } from './analysis.ts';
import { type Document, Unreadable } from './model.ts';

const IDENTIFIER_DIGITS = 32;
/** An identifier with fewer distinct bytes is a constant that a program writes into every file. */
const MIN_VARIED = 8;

/** Fingerprints, besides the file's digest, that show whether a document or its original was seen elsewhere. */
export async function fingerprintsOf(document: Document): Promise<Fingerprint[]> {
  try {
    return [...(await originOf(document)), ...(await figuresOf(document))];
  } catch (error) {
    if (error instanceof Unreadable) return [];
    throw error;
  }
}

/** The half of a PDF's identifier that survives edits (ISO 32000-1, 14.4). */
async function originOf({ kind, bytes }: Document): Promise<Fingerprint[]> {
  if (kind !== 'pdf') return [];
  const [{ structureOf }, { identifierOf }] = await Promise.all([
    import('./pdf/structure.ts'),
    import('./pdf/writing/writer.ts'),
  ]);
  const value = identifierOf(structureOf(bytes).current)?.[0];
  if (value?.length !== IDENTIFIER_DIGITS || new Set(Buffer.from(value, 'hex')).size < MIN_VARIED) return [];
  return [{ kind: 'origin', value }];
}

/** Digital text only: OCR of the same figures varies. */
async function figuresOf(document: Document): Promise<Fingerprint[]> {
  const { figuresFingerprint } = await import('./content/fingerprint.ts');
  const value = figuresFingerprint(await document.pages());
  return value === undefined ? [] : [{ kind: 'figures', value }];
}
