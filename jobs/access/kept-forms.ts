import { ifOpened, sealText, unsealText } from '../../core/secrets/secrets.ts';
import { deleteForm, findForm, KEPT_MS, putForm } from '../../db/access/kept-forms.ts';
import type { Holder } from '../../db/access/sign-in.ts';
import type { Runtime } from '../runtime.ts';

type Keeping = Pick<Runtime, 'db' | 'keys' | 'now'>;

/** A form whose sender is to prove first who they are. */
export interface KeptForm {
  /** The page with the form, and the action, below the root of the office. */
  place: string;
  to: string;
  sent: URLSearchParams;
}

const MAX_BYTES = 64 * 1024;

/** Keeps a form, sealed, instead of the former one of its sender. @returns false when it is too long */
export async function keepForm({ db, keys, now }: Keeping, holder: Holder, form: KeptForm): Promise<boolean> {
  const { place, to, sent } = form;
  const text = new URLSearchParams({ place, to, sent: sent.toString() }).toString();
  if (text.length > MAX_BYTES) return false;
  await putForm(db, holder, { sealed_form: sealText(text, keys.encryption), kept_at: now().toISOString() });
  return true;
}

export async function findKeptForm({ db, keys, now }: Keeping, holder: Holder): Promise<KeptForm | undefined> {
  const row = await findForm(db, holder, new Date(now().getTime() - KEPT_MS));
  const text = row && ifOpened(() => unsealText(row.sealed_form, keys.encryption));
  if (text === undefined) return undefined;
  const fields = new URLSearchParams(text);
  const [place = '', to = '', sent = ''] = ['place', 'to', 'sent'].map((name) => fields.get(name) ?? '');
  return { place, to, sent: new URLSearchParams(sent) };
}

export function forgetForm({ db }: Pick<Runtime, 'db'>, holder: Holder): Promise<void> {
  return deleteForm(db, holder);
}
