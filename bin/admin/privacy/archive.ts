import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { PersonalData } from '../../../jobs/privacy/privacy-export.ts';
import type { DocumentStore } from '../../../providers/documents/port.ts';
import { fileNameOf } from '../cli/write-file.ts';

const README = `What is held about one person.

data.json     Everything in the database about the person: the account, the applications they take part in,
              invitations, identity verifications with their results, documents, analyses, events with those
              who were told, and the entries of the audit log. Moments are in UTC (ISO 8601).
documents/    The documents, as they were handed in. data.json says under "documents" which file is which.
mails/        Invitations that are still kept on the machine of the service, as they were sent.

Addresses and names of other people were left out.
`;

/**
 * Streams the archive. Each document is decrypted when its turn comes.
 * @param tick takes how many documents were started
 * @throws what reading a document throws
 */
export function archiveOf(
  held: PersonalData,
  store: DocumentStore,
  tick: (done: number) => void,
): AsyncIterable<Uint8Array> {
  const zip = new ZipFile();
  const output = new PassThrough();
  const files = named(held.documents);
  zip.addBuffer(Buffer.from(README), 'README.txt');
  zip.addBuffer(Buffer.from(JSON.stringify({ ...held.data, documents: files }, null, 2)), 'data.json');
  for (const [index, { file, sha256, created_at }] of files.entries())
    zip.addReadStreamLazy(file, { mtime: new Date(created_at) }, (give) => {
      tick(index + 1);
      give(
        null,
        Readable.from(store.get(sha256)).on('error', (error) => output.destroy(error)),
      );
    });
  for (const { id, content } of held.mails) zip.addBuffer(content, `mails/${id}.eml`);
  zip.end();
  zip.on('error', (error: Error) => output.destroy(error));
  zip.outputStream.pipe(output);
  return output;
}

/** Gives documents file names that are valid and unique. */
function named<Document extends { name: string }>(documents: readonly Document[]): (Document & { file: string })[] {
  const taken = new Set<string>();
  return documents.map((document) => {
    const name = fileNameOf(document.name);
    let file = `documents/${name}`;
    for (let number = 2; taken.has(file.toLowerCase()); number++) file = `documents/${number}-${name}`;
    taken.add(file.toLowerCase());
    return { ...document, file };
  });
}
