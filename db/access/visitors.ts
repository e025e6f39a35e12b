import { isoAfter } from '../../core/time.ts';
import type { Database, Dialect } from '../connection/database.ts';
import { namedColumns, prepared } from '../connection/prepared.ts';
import { retried } from '../connection/transactions.ts';
import { KEPT_MS } from './kept-forms.ts';
import { type Holders, holdersOf, LASTING, lastingNow, NOTE_EVERY_MS } from './sign-in.ts';

/** A session that lasts, as each page asks for it. */
export interface SessionOfVisitor {
  session_id: string | null;
  /** When the holder last proved who they are. */
  proved_at: string;
  used_at: string;
  /** Whether a form is kept for the holder; SQLite has no booleans. */
  keeps_form: boolean | 0 | 1;
}

/**
 * Reads the session of a browser, if it lasts, with its holder: in one statement, because it is part of every page.
 * @param columnsIn an expression for each column of `Row`, about the row `holder`
 * @param isUse false for requests that a page sends without its reader: they must not keep the session alive
 */
export function visitorRead<Row>(of: Holders, columnsIn: (dialect: Dialect) => Record<keyof Row & string, string>) {
  const { sessions, holders, forms } = holdersOf(of);
  const keepsForm = `exists (select 1 from ${forms} as kept where kept.${of} = holder.id and kept.kept_at > ?)`;
  const ofSession: Record<keyof SessionOfVisitor, string> = {
    session_id: 'opened.id',
    proved_at: 'opened.created_at',
    used_at: 'opened.used_at',
    keeps_form: keepsForm,
  };
  const find = prepared<Row & SessionOfVisitor>(
    (dialect) => `
select ${namedColumns(ofSession, columnsIn(dialect))}
from ${sessions} as opened join ${holders} as holder on holder.id = opened.${of}
where opened.token_hash = ? and ${LASTING}`,
  );
  return async (db: Database, tokenHash: string, now: Date, isUse: boolean) => {
    const [found] = await find(db, isoAfter(now, -KEPT_MS), tokenHash, ...lastingNow(of, now));
    if (found && isUse && found.used_at <= isoAfter(now, -NOTE_EVERY_MS))
      await retried(db, () => db(sessions).where({ token_hash: tokenHash }).update({ used_at: now.toISOString() }));
    return found;
  };
}
