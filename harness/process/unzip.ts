import { type Entry, fromBuffer } from 'yauzl';

/** The files of an archive by their names. */
export async function unzip(content: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  await new Promise<void>((resolve, reject) => {
    fromBuffer(content, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      zip.on('error', reject).on('end', resolve);
      zip.on('entry', (entry: Entry) => {
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
