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
