import { type Entry, fromBuffer } from 'yauzl';

/** Bit 3 of an entry's flags: its size follows its data (PKWARE's APPNOTE, section 4.4.4). */
const SIZE_FOLLOWS = 8;
const STORED = 0;

/** The files of an archive by their names. @throws for one that cannot also be read from its beginning, without the directory at its end */
export async function unzip(content: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  await new Promise<void>((resolve, reject) => {
    fromBuffer(content, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      zip.on('error', reject).on('end', resolve);
      zip.on('entry', (entry: Entry) => {
        if (entry.generalPurposeBitFlag & SIZE_FOLLOWS && entry.compressionMethod === STORED)
          return reject(new Error(`${entry.fileName} is stored, and nothing before its end says where that is.`));
        zip.openReadStream(entry, async (failure, stream) => {
          if (failure) return reject(failure);
          files.set(entry.fileName, Buffer.concat(await Array.fromAsync(stream)));
          zip.readEntry();
        });
      });
      zip.readEntry();
    });
  });
  return files;
}
