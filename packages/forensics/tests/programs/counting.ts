import { hear, say } from '../../isolation/inside.ts';

/** Says what it was given, as a program should. */
say({ is: 'ready' });
const request = hear();
if (request) say({ header: request.header, bytes: request.bytes.length }, request.bytes.slice(0, 4));
