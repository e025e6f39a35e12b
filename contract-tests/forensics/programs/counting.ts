import { hear, say } from '../../../forensics/isolation/inside.ts';

/** Says what it was given, as a program should. */
say({ is: 'ready' });
const request = hear();
if (request) say({ header: request.header, bytes: request.bytes.length, last: request.bytes.at(-1) ?? null }, request.bytes.slice(0, 4));
