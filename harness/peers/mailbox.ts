import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';

/** The text of every mail in the local mailbox of a data folder, by the name of its file. */
export async function readMails(dataFolder: string): Promise<Map<string, string>> {
  const folder = join(dataFolder, 'mailbox');
  const read = async (name: string): Promise<[string, string]> => {
    const { subject, text, html } = await PostalMime.parse(await readFile(join(folder, name)));
    return [name, [subject, text, html].join('\n')];
  };
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.eml'));
  return new Map(await Promise.all(names.map(read)));
}
