const MAX_NAME_LENGTH = 50;

/**
 * Makes a safe file name from a document's name, which is untrusted: it must neither lead to another folder nor hide the file. Keeps the
 * end, which contains the extension.
 */
export function fileNameOf(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, '_');
  const kept = Array.from(plain).slice(-MAX_NAME_LENGTH).join('');
  return kept.replace(/^[.\s-]+|(?<![.\s])[.\s]+$/g, '') || 'document';
}

/** What the name of an upload may end in, by what it is; the first is given to others. */
const ENDINGS: Record<string, readonly [string, ...string[]]> = {
  'application/pdf': ['pdf'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
};
const ENDING_OF_ANY = new RegExp(`\\.(${Object.values(ENDINGS).flat().join('|')})$`, 'i');

/** The name of an upload, with an ending of its content, by which a reader's computer opens it. */
export function withEnding(name: string, mediaType: string): string {
  const endings = ENDINGS[mediaType];
  const [, ending = ''] = ENDING_OF_ANY.exec(name) ?? [];
  if (!endings || endings.includes(ending.toLowerCase())) return name;
  return `${name.replace(ENDING_OF_ANY, '')}.${endings[0]}`;
}
