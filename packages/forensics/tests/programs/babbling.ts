import { writeSync } from 'node:fs';
import { readRequest, writeFrame } from '../../isolation/worker-io.ts';

/** Sends the given bytes repeatedly instead of frames. */
writeFrame({ is: 'ready' });
const { bytes = new Uint8Array() } = readRequest() ?? {};
for (;;) writeSync(1, bytes);
