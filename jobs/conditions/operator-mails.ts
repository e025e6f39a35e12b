import { createHash } from 'node:crypto';
import { conditionOf } from '../../core/conditions/table.ts';
import { html } from '../../core/html.ts';
import { newId } from '../../core/ids.ts';
import { MINUTE_MS } from '../../core/time.ts';
import { type ConditionStateRow, listConditionStates, storeConditionState } from '../../db/work/condition-states.ts';
import type { Runtime } from '../runtime.ts';
import type { Observed } from './look.ts';
import type { ConditionWatch } from './watch.ts';

export const MAILS_MS = 15_000;
const WAIT_MS = 20_000;
/** How long a process that has led may report a database that went away since. */
const LED_MS = 10 * MINUTE_MS;
const WELL = 'ok';
const PROBLEM = 'problem';

type Mailing = Pick<Runtime, 'db' | 'providers' | 'now' | 'log'>;

interface Change {
  observed: Observed;
  row: ConditionStateRow;
}

/**
 * Mails the operator when a condition becomes a problem and when it is over, once each way:
 * 1. The leading process looks at all conditions and stores since when each has been in its state.
 * 2. A state that has lasted as long as its alert waits, and was not mailed yet, is mailed: all changes in one mail.
 * 3. The column `told` is stored after the mail is sent: a crash in between sends it again, with the same Message-ID.
 * A database that does not answer has no leader: the process that led last reports it from memory.
 */
export class OperatorMails {
  readonly #runtime: Mailing;
  readonly #watch: ConditionWatch;
  readonly #to: string;
  #ledAt = Number.NEGATIVE_INFINITY;
  /** Since when the database has not answered, and whether that was mailed. */
  #silence: { since: Date; isReported: boolean } | undefined;

  constructor(runtime: Mailing, watch: ConditionWatch, to: string) {
    this.#runtime = runtime;
    this.#watch = watch;
    this.#to = to;
  }

  /** Called periodically in the leading process. */
  async lead(): Promise<void> {
    const observed = await this.#watch.current({ waitMs: WAIT_MS });
    const rows = new Map((await listConditionStates(this.#runtime.db)).map((row) => [row.condition, row]));
    this.#ledAt = performance.now();
    if (this.#silence?.isReported) rows.set('database', this.#silentRow(this.#silence.since));
    this.#silence = undefined;
    const changes: Change[] = [];
    for (const one of observed) {
      const row = await this.#follow(one, rows.get(one.condition));
      if (row && this.#isDue(one, row)) changes.push({ observed: one, row });
    }
    if (changes.length === 0) return;
    await this.#send(changes);
    for (const { row } of changes) await storeConditionState(this.#runtime.db, { ...row, told: row.state });
  }

  /** Called periodically in every process with workers, because the duties need the database. */
  async reportSilence(): Promise<void> {
    if (performance.now() - this.#ledAt > LED_MS) return;
    const observed = await this.#watch.current({ waitMs: WAIT_MS });
    const database = observed.find(({ condition }) => condition === 'database');
    if (!database || stateOf(database) !== PROBLEM) return;
    this.#silence ??= { since: this.#runtime.now(), isReported: false };
    const row = this.#silentRow(this.#silence.since);
    if (this.#silence.isReported || !this.#isDue(database, { ...row, told: WELL })) return;
    await this.#send([{ observed: database, row }]);
    this.#silence.isReported = true;
    this.#ledAt = performance.now();
  }

  #silentRow(since: Date): ConditionStateRow {
    return { condition: 'database', state: PROBLEM, since: since.toISOString(), told: PROBLEM };
  }

  /** Stores a change of state. @returns undefined for what was never a problem, or was not looked at */
  async #follow(observed: Observed, former: ConditionStateRow | undefined): Promise<ConditionStateRow | undefined> {
    const state = stateOf(observed);
    if (state === undefined || (former === undefined && state === WELL)) return undefined;
    if (former?.state === state) return former;
    const row = {
      condition: observed.condition,
      state,
      since: this.#runtime.now().toISOString(),
      told: former?.told ?? WELL,
    };
    await storeConditionState(this.#runtime.db, row);
    return row;
  }

  #isDue({ condition }: Observed, { state, since, told }: ConditionStateRow): boolean {
    if (state === told) return false;
    const lastedMs = this.#runtime.now().getTime() - Date.parse(since);
    return state === WELL || lastedMs >= conditionOf(condition).alert.forMinutes * MINUTE_MS;
  }

  async #send(changes: readonly Change[]): Promise<void> {
    const { providers, log } = this.#runtime;
    const idsIn = (state: string) => changes.flatMap(({ row }) => (row.state === state ? [row.condition] : []));
    const [problems, over] = [idsIn(PROBLEM), idsIn(WELL)];
    const subject = [
      ...(problems.length > 0 ? [`Problem: ${problems.join(', ')}`] : []),
      ...(over.length > 0 ? [`Over: ${over.join(', ')}`] : []),
    ].join('. ');
    const parts = changes.map(textOf);
    const change = changes.map(({ row }) => `${row.condition}.${row.state}.${Date.parse(row.since)}`).join('+');
    await providers.mail.send({
      of: { kind: 'conditions', office: 'console' },
      id: newId(),
      messageId: createHash('sha256').update(change).digest('hex').slice(0, 32),
      to: this.#to,
      subject,
      text: `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`,
      html: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head>
<body>${parts.map((lines) => html`<p>${lines.map((line) => html`${line}<br>`)}</p>`)}</body></html>
`.markup,
    });
    log.info({ problems, over }, 'operator mailed');
  }
}

/** Warnings are for those who look. What was not seen neither begins nor ends a problem. */
function stateOf({ state }: Observed): typeof WELL | typeof PROBLEM | undefined {
  if (state === 'not checked' || state === 'unknown') return undefined;
  return state === PROBLEM ? PROBLEM : WELL;
}

function textOf({ observed, row }: Change): string[] {
  const { condition, found, advice, command } = observed;
  if (row.state === WELL) return [`Over: ${condition}`, found];
  return [
    `Problem: ${condition}, since ${row.since}`,
    found,
    [advice, command].filter(Boolean).join(' '),
    `See ${condition} in docs/operating/troubleshooting.md.`,
  ];
}
