import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../core/errors.ts';
import type { LocalMails, Mail, MailOffice } from './port.ts';

/** A mail, or the temporary file of a process killed while writing one. */
const MAIL = /^(?<id>.+?)\.eml(?:\.[0-9a-f-]{36})?$/;
/** Ids come from addresses of pages, too. */
const ID = /^[\w-]+$/;
const [DESKS, CONSOLE] = ['desks', 'console'] as const;

/** Where the local mailbox keeps the mails to an office, or to applicants. */
function folderOf(folder: string, office: MailOffice | undefined): string {
  if (office === undefined) return folder;
  return office === 'console' ? join(folder, CONSOLE) : join(folder, DESKS, office.landlordId);
}

export function fileOf(folder: string, { id, of }: Pick<Mail, 'id' | 'of'>): string {
  return join(folderOf(folder, 'office' in of ? of.office : undefined), `${id}.eml`);
}

/** The files of the local mailbox, which remain after a switch to SMTP. */
export function createLocalMails(folder: string): LocalMails & MailFiles {
  const mailsIn = async (place: string) =>
    (await readdir(place).catch(noneIfAbsent)).flatMap((name) => {
      const id = MAIL.exec(name)?.groups?.['id'];
      return id === undefined ? [] : [{ id, file: join(place, name) }];
    });
  const offices = async () => [
    folderOf(folder, 'console'),
    ...(await readdir(join(folder, DESKS)).catch(noneIfAbsent)).map((landlordId) => folderOf(folder, { landlordId })),
  ];
  const read = async (id: string, office?: MailOffice) => {
    if (!ID.test(id)) return undefined;
    const content = await readFile(join(folderOf(folder, office), `${id}.eml`)).catch(noneIfAbsent);
    return Buffer.isBuffer(content) ? content : undefined;
  };
  return {
    async *kept() {
      for (const { id, file } of await mailsIn(folder)) {
        const found = await stat(file).catch(noneIfAbsent);
        if ('mtime' in found) yield { id, storedAt: found.mtime };
      }
    },
    read,
    async forget(ids) {
      const wanted = new Set(ids);
      const gone = (await mailsIn(folder)).filter(({ id }) => wanted.has(id));
      for (const { file } of gone) await rm(file, { force: true });
      return gone.length;
    },
    async forgetOffices(before) {
      let removed = 0;
      for (const place of await offices())
        for (const { file } of await mailsIn(place)) {
          const found = await stat(file).catch(noneIfAbsent);
          if (!('mtime' in found) || found.mtime >= before) continue;
          await rm(file, { force: true });
          removed += 1;
        }
      return removed;
    },
    async list(office, limit) {
      const whole = (await mailsIn(folderOf(folder, office))).filter(({ file }) => file.endsWith('.eml'));
      // Ids begin with their time.
      const newest = whole.map(({ id }) => id).sort((one, other) => (one < other ? 1 : -1));
      return newest.slice(0, limit);
    },
  };
}

/** The files of mails, by office. */
export interface MailFiles {
  read(id: string, office?: MailOffice): Promise<Buffer | undefined>;
  list(office: MailOffice, limit: number): Promise<string[]>;
}

function noneIfAbsent(error: unknown): [] {
  if (hasCode(error, 'ENOENT')) return [];
  throw error;
}
