import { readRequest, writeFrame } from '../../isolation/worker-io.ts';

/** Says what it was given, as a program should. */
writeFrame({ is: 'ready' });
const request = readRequest();
if (request) writeFrame({ header: request.header, bytes: request.bytes.length }, request.bytes.slice(0, 4));
