import { readRequest, writeFrame } from '../../isolation/worker-io.ts';

/** Reports its input, as a well-behaved program does. */
writeFrame({ is: 'ready' });
const request = readRequest();
if (request) writeFrame({ header: request.header, bytes: request.bytes.length }, request.bytes.slice(0, 4));
