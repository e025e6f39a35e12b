/** Replaces `openssl` on a machine that has none. Supports the three commands used by the guides. */
import { createHmac } from 'node:crypto';
import { buffer } from 'node:stream/consumers';

const input = await buffer(process.stdin);
const command = process.argv.slice(2).join(' ');
const key = /^dgst -sha256 -mac HMAC -macopt hexkey:([0-9a-f]+) -binary$/.exec(command)?.[1];
if (key) process.stdout.write(createHmac('sha256', Buffer.from(key, 'hex')).update(input).digest());
else if (command === 'base64 -d -A') process.stdout.write(Buffer.from(input.toString(), 'base64'));
else if (command === 'base64 -A') process.stdout.write(input.toString('base64'));
else throw new Error(`openssl ${command} is not known here.`);
