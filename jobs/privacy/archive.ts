import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { fileNameOf } from '../../core/rules/file-names.ts';
import type { DocumentStore } from '../../providers/documents/port.ts';
import type { PersonalData } from './privacy-export.ts';

const README = `The data held about one person.

data.json     Everything in the database about the person: the account, their applications, invitations,
              identity verifications with their results, documents, analyses, events with their recipients,
              and entries of the audit log. Times are in UTC (ISO 8601).
documents/    The documents, as submitted. "documents" in data.json says which file is which.
mails/        Invitations that are still on the service's machine, as sent.

Addresses and names of other people are left out.
`;

/**
 * Streams the archive, decrypting one document at a time, once it is read: an error before that would have no one to catch it and end
 * the process.
 * @param tick receives how many documents were started
 * @throws the errors of reading a document
 */
export function archiveOf(...archived: Parameters<typeof archive>): Readable {
  return Readable.from(archive(...archived), { objectMode: false });
}

async function* archive(
  held: PersonalData,
  store: DocumentStore,
  tick: (done: number) => void,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = new PassThrough();
  // A reader who leaves ends the output only: the document would stay open.
  let reading: Readable | undefined;
  output.once('close', () => reading?.destroy());
  const files = named(held.documents);
  zip.addBuffer(Buffer.from(README), 'README.txt');
  zip.addBuffer(Buffer.from(JSON.stringify({ ...held.data, documents: files }, null, 2)), 'data.json');
  // At the lowest level, because pictures and scans are compressed already. Not merely stored: their sizes follow them, so a program that
  // reads archives from the beginning, as Java's does, would not find the end of one.
  for (const [index, { file, sha256, created_at }] of files.entries())
    zip.addReadStreamLazy(file, { mtime: new Date(created_at), compressionLevel: 1 }, (give) => {
      tick(index + 1);
      reading = Readable.from(store.get(sha256)).on('error', (error) => output.destroy(error));
      give(null, reading);
    });
  for (const { id, content } of held.mails) zip.addBuffer(content, `mails/${id}.eml`);
  zip.end();
  zip.on('error', (error: Error) => output.destroy(error));
  zip.outputStream.pipe(output);
  yield* output;
}

/** Gives documents valid, unique file names. */
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
