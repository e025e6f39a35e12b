import { writeSync } from 'node:fs';
import { readRequest, writeFrame } from '../../isolation/worker-io.ts';

/** Answers with the bytes that it is given, again and again, instead of frames. */
writeFrame({ is: 'ready' });
const { bytes = new Uint8Array() } = readRequest() ?? {};
for (;;) writeSync(1, bytes);
