import type { Fingerprint } from './analysis.ts';
import { type Document, Unreadable } from './model.ts';

const IDENTIFIER_DIGITS = 32;
/** Fewer different bytes are a constant that a program writes into every file. */
const LEAST_VARIED = 8;

/** What tells whether a document, or what it was made from, was seen elsewhere; beside the digest of the file itself. */
export async function fingerprintsOf(document: Document): Promise<Fingerprint[]> {
  try {
    return [...(await originOf(document)), ...(await figuresOf(document))];
  } catch (error) {
    if (error instanceof Unreadable) return [];
    throw error;
  }
}

/** The half of a PDF's identifier that stays when it is edited (ISO 32000-1, 14.4). */
async function originOf({ kind, bytes }: Document): Promise<Fingerprint[]> {
  if (kind !== 'pdf') return [];
  const [{ structureOf }, { identifierOf }] = await Promise.all([
    import('./pdf/structure.ts'),
    import('./pdf/writer.ts'),
  ]);
  const value = identifierOf(structureOf(bytes).current)?.[0];
  if (value?.length !== IDENTIFIER_DIGITS || new Set(Buffer.from(value, 'hex')).size < LEAST_VARIED) return [];
  return [{ kind: 'origin', value }];
}

/** Digital text alone: read from a picture, the same figures come out differently. */
async function figuresOf(document: Document): Promise<Fingerprint[]> {
  const { figuresFingerprint } = await import('./content/fingerprint.ts');
  const value = figuresFingerprint(await document.pages());
  return value === undefined ? [] : [{ kind: 'figures', value }];
}
