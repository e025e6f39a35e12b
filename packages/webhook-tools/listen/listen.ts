/** `npm run listen`: receives what the sandbox sends, shows it, forwards it, and tests your receiver. Try --help. */
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { explain } from './explain.ts';
import { Inlet } from './inlet.ts';
import { JsonPrinter } from './json-printer.ts';
import { type Options, readOptions } from './options.ts';
import { ownWebhook } from './own-webhook.ts';
import { Sandbox } from './sandbox.ts';
import { Session } from './session.ts';
import { TextPrinter } from './text-printer.ts';
import { keepTriggering } from './trigger.ts';

// The reader of the output may stop early, as `| head` does.
process.stdout.on('error', () => process.exit());

try {
  process.exitCode = await listen(readOptions(process.argv.slice(2)));
} catch (error) {
  const { exitCode, message } = explain(error);
  if (message) console.error(message);
  process.exitCode = exitCode;
}
// Open requests and the prompt for Enter would keep the program alive.
process.exit();

/** @returns the exit code */
async function listen(options: Options): Promise<number> {
  const dataDir = resolve(process.env['DATA_DIR'] || 'data');
  const sandbox = await Sandbox.find(dataDir, process.env);
  await sandbox.signIn();
  const inlet = await Inlet.open(options.port);
  const place = { clientId: sandbox.clientId, port: inlet.port, secret: options.secret };
  const webhook = await ownWebhook(join(dataDir, 'listen.json'), place, (url, secret) => sandbox.register(url, secret));
  const printer = options.json ? new JsonPrinter(options) : new TextPrinter(options);
  const session = new Session(options, webhook.secret, printer);
  printer.beginning({ baseUrl: sandbox.baseUrl, webhook, options });
  if (webhook.beside) printer.note(earlierWebhooks(webhook.beside));
  inlet.serve(webhook.url, (message, respond) => void session.take(message, respond));
  const over = untilOver(options, session);
  if (options.trigger)
    await keepTriggering({
      verify: () => sandbox.verifyTenant(),
      isAwaited: options.for !== undefined,
      lastArrival: () => session.lastArrival,
      onFault: (text) => printer.note(text),
      onNothing: () => printer.note('Nothing comes. Is the webhook paused? npm run --silent admin -- webhook list'),
    });
  const isInTime = await over;
  await inlet.close();
  const summary = session.summary();
  if (!isInTime)
    printer.note(
      `Not enough came through within ${options.timeout} s: ${session.deliveriesThrough} of ${options.for}.`,
    );
  printer.end(summary);
  return isInTime && summary.holds ? 0 : 1;
}

/** There is no operation that deletes a webhook. */
function earlierWebhooks(why: string): string {
  return `${why}, so another webhook was registered. Those registered earlier stay, and their deliveries fail while no one listens. An operator can pause them: npm run --silent admin -- webhook pause <webhook id>`;
}

/** @returns whether the requested events came in time; also true when the user ends the program */
async function untilOver({ timeout }: Options, session: Session): Promise<boolean> {
  const asked = new Promise<void>((ask) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => ask());
  });
  const over = Promise.race([session.complete, asked]).then(() => true);
  return timeout === undefined ? over : Promise.race([over, wait(timeout * 1000, false)]);
}
