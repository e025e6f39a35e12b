#!/usr/bin/env node
// Serves the list of receivers, each on a port of its own, to test any sender of webhooks. `--help` describes it.
import { parseArgs } from 'node:util';
import { receivers, startReceiver, urlOf } from './receiver.mjs';

const HELP = `Usage: npm run receivers -- [options]

Serves receivers that misbehave as real ones do, each on a port of its own, to test a sender of webhooks.
Send one event to each address. Ctrl-C ends it and counts what arrived: a receiver whose outcome is
"delivered" must have got the event once, however often the sender tries again elsewhere.

  --only <name,name>  serve these only
  --kind <kind>       serve one kind only, such as "interim answers"
  --port <number>     the port of the first (default 4400; 0 picks free ports)
  --host <address>    where to listen (default 127.0.0.1)
  --json              print one JSON object a line
  --list              print the list and end
  --help

Exit codes: 0 ended, 1 a port is in use, 2 not understood.`;

const { values } = readOptions();
if (values.help) {
  console.log(HELP);
} else {
  const chosen = choose(values);
  if (chosen.length === 0) misunderstood('No receiver has this name or kind; see --list.');
  if (values.list) for (const receiver of chosen) print(receiver, '-');
  else await serve(chosen);
}

function readOptions() {
  const text = { type: 'string' };
  const flag = { type: 'boolean' };
  try {
    return parseArgs({
      options: { only: text, kind: text, port: text, host: text, json: flag, list: flag, help: flag },
    });
  } catch (error) {
    return misunderstood(error.message);
  }
}

function misunderstood(message) {
  console.error(`Error: ${message}\n\n${HELP}`);
  process.exit(2);
}

function choose({ only, kind }) {
  const names = only?.split(',');
  return receivers.filter(
    (receiver) => (names?.includes(receiver.name) ?? true) && (kind === undefined || receiver.kind === kind),
  );
}

async function serve(chosen) {
  const first = Number(values.port ?? 4400);
  if (!Number.isInteger(first) || first < 0 || first + chosen.length > 65_535) misunderstood('--port is not a port.');
  const started = [];
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => end(started));
  for (const [index, receiver] of chosen.entries()) {
    const place = { host: values.host ?? '127.0.0.1', port: first === 0 ? 0 : first + index };
    const server = await startReceiver(receiver, place).catch((error) => {
      console.error(`Error: port ${place.port} cannot be used (${error.code}); choose another with --port.`);
      process.exit(1);
    });
    started.push({ receiver, server });
    print(receiver, urlOf(receiver, server.port));
  }
  console.error(`${started.length} receivers listen. Ctrl-C ends them and counts what arrived.`);
}

async function end(started) {
  for (const { receiver, server } of started) count(receiver, server);
  await Promise.all(started.map(({ server }) => server.stop()));
  process.exit(0);
}

function print(receiver, url) {
  const { name, kind, does, source, expected } = receiver;
  if (values.json) return console.log(JSON.stringify({ name, kind, does, source, url, expected }));
  const status = expected.status === null ? '' : ` (${expected.status})`;
  console.log(`${url.padEnd(28)} ${name.padEnd(26)} ${(expected.outcome + status).padEnd(16)} ${does}`);
}

function count({ name, expected }, { requests, connections }) {
  const twice = expected.outcome === 'delivered' && requests.length > 1;
  if (values.json) return console.log(JSON.stringify({ name, requests: requests.length, connections, twice }));
  if (connections > 0) console.log(`${name.padEnd(26)} ${requests.length} requests${twice ? ', one is right' : ''}`);
}
