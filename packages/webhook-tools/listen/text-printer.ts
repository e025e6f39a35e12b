import { styleText } from 'node:util';
import type { Delivery } from './delivery.ts';
import { noAnswer, type Reply } from './forward.ts';
import { onScreen } from './on-screen.ts';
import type { Options } from './options.ts';
import type { Beginning, Printer } from './printer.ts';
import type { Row, Summary, Trial } from './tally.ts';
import { TRICKS, trickNames } from './tricks.ts';

const strong = (text: string) => styleText('bold', text);
const faint = (text: string) => styleText('dim', text);
const good = (text: string) => styleText('green', text);
const bad = (text: string) => styleText('red', text);

const longestName = Math.max(...trickNames.map(({ length }) => length));
const longestEvent = 'FORENSIC_ANALYSIS_DATA'.length;
const GONE = 410;

/** One block per delivery. When several are in progress, each piece of a block names its delivery. */
export class TextPrinter implements Printer {
  private readonly withBody: boolean;
  private webhookId = '';
  private open: Delivery | undefined;

  constructor({ printBody = false }: Pick<Options, 'printBody'>) {
    this.withBody = printBody;
  }

  beginning({ baseUrl, webhook, options }: Beginning): void {
    const { forwardTo, chaos, seed, trigger } = options;
    this.webhookId = webhook.id;
    const row = (label: string, value: string) => onScreen(`${faint(label.padEnd(14))}${value}`, '  ', ' '.repeat(16));
    const tricks = chaos?.length === trickNames.length ? 'all tricks' : chaos?.join(', ');
    const rows = [
      `  ${styleText(['bold', 'green'], '●')} ${strong('Listening')} ${faint(`to every event of ${baseUrl}`)}`,
      '',
      row('Webhook', `${webhook.url} ${faint(webhook.isNew ? '(just registered)' : '(as before)')}`),
      row('Forwards to', forwardTo ?? faint('no receiver: add --forward-to http://localhost:4000/hook')),
      ...(chaos ? [row('Chaos', `${tricks} ${faint(`(--seed ${seed})`)}`)] : []),
      '',
      `  ${faint('Paste this where your receiver runs. It is the secret of this webhook:')}`,
      '',
      `  export WEBHOOK_SECRET=${webhook.secret}`,
      '',
      `  ${faint('Deliveries that fail while this command is stopped are retried.')}`,
      `  ${faint(`${trigger && process.stdin.isTTY ? 'Enter starts another verification. ' : ''}Ctrl+C stops it.`)}`,
    ];
    console.log(`\n${rows.join('\n')}`);
  }

  arrived(delivery: Delivery): void {
    const { fault, times, body } = delivery;
    const verdict = fault === undefined ? good('✔ verified') : bad(`✘ not verified: ${fault}`);
    this.line(delivery, `${verdict}${faint(times === 1 ? ', first time' : `, again: time ${times}`)}`);
    if (this.withBody) console.log(readable(body).replace(/^/gm, '      '));
  }

  answered(delivery: Delivery, reply: Reply | undefined, status: number): void {
    if (!reply) return;
    const { durationMs, fault } = reply;
    const answer = `→ ${fault === undefined ? status : `${noAnswer(reply)}, the service gets ${status}`}`;
    const succeeded = status >= 200 && status < 300;
    const next = succeeded || status === GONE ? '' : ', the service will try again';
    this.line(delivery, `${succeeded ? good(answer) : bad(answer)}${faint(`  ${durationMs} ms${next}`)}`);
    if (status !== GONE) return;
    this.note('410 says that nothing more is wanted: the service pauses the webhook. To resume it:');
    this.note(`npm run --silent admin -- webhook resume ${this.webhookId}`);
  }

  tried(delivery: Delivery, { trick, done, right, reply, fault }: Trial): void {
    const mark = fault === undefined ? good('✔') : bad('✘');
    const got = String(reply.status ?? 'none').padEnd(4);
    this.line(delivery, `${mark} ${trick.padEnd(longestName)}  ${faint(`right ${right}, got`)} ${got} ${done}`);
    if (fault !== undefined) this.line(delivery, bad(`  ${fault}`));
  }

  note(text: string): void {
    this.open = undefined;
    console.log(`\n${onScreen(text, '  ')}`);
  }

  end({ deliveries, verified, rows, holds }: Summary): void {
    this.note(strong(`${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'}, ${verified} verified`));
    if (rows.length > 0) console.log(`\n${rows.map(summaryLine).join('\n')}`);
    const advice = faint('What to do about it: docs/guides/testing-receivers.md');
    const verdict = holds ? good('✔ Everything held.') : `${bad('✘ Not everything held.')} ${advice}`;
    this.note(`${deliveries === 0 ? 'Nothing came.' : verdict}\n`);
  }

  private line(delivery: Delivery, text: string): void {
    if (this.open !== delivery) {
      const time = faint(delivery.at.toTimeString().slice(0, 8));
      console.log(`\n  ${time}  ${strong(delivery.event.padEnd(longestEvent))}  ${safe(delivery.id)}`);
      this.open = delivery;
    }
    console.log(onScreen(text, '    ', '      '));
  }
}

function summaryLine({ trick, right, sent, held }: Row): string {
  const mark = sent === 0 ? faint('-') : sent === held ? good('✔') : bad('✘');
  const count = sent === 0 ? 'never came about' : `${held} of ${sent} held`;
  const why = trick === 'genuine' ? 'the service signed it' : TRICKS[trick].why;
  const result = `${mark} ${trick.padEnd(longestName)}  ${count.padEnd(16)}  ${faint(`${right}: ${why}`)}`;
  return onScreen(result, '  ', ' '.repeat(longestName + 24));
}

function readable(body: Buffer): string {
  const text = body.toString();
  try {
    return JSON.stringify(JSON.parse(text), null, 2).split('\n').map(safe).join('\n');
  } catch {
    return safe(text);
  }
}

/** The sender must not be able to control the terminal. */
function safe(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '·');
}
