import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../core/errors.ts';
import type { LocalMails } from './port.ts';

/** A mail, or the temporary file of a process killed while writing one. */
const MAIL = /^(?<id>.+?)\.eml(?:\.[0-9a-f-]{36})?$/;

/** The files of the local mailbox, which remain after a switch to SMTP. */
export function createLocalMails(folder: string): LocalMails {
  const mails = async () =>
    (await readdir(folder).catch(noneIfAbsent)).flatMap((name) => {
      const id = MAIL.exec(name)?.groups?.['id'];
      return id === undefined ? [] : [{ id, file: join(folder, name) }];
    });
  return {
    async *kept() {
      for (const { id, file } of await mails()) {
        const found = await stat(file).catch(noneIfAbsent);
        if ('mtime' in found) yield { id, storedAt: found.mtime };
      }
    },
    async read(id) {
      const content = await readFile(join(folder, `${id}.eml`)).catch(noneIfAbsent);
      return Buffer.isBuffer(content) ? content : undefined;
    },
    async forget(ids) {
      const wanted = new Set(ids);
      const gone = (await mails()).filter(({ id }) => wanted.has(id));
      for (const { file } of gone) await rm(file, { force: true });
      return gone.length;
    },
  };
}

function noneIfAbsent(error: unknown): [] {
  if (hasCode(error, 'ENOENT')) return [];
  throw error;
}
