import { writeSync } from 'node:fs';
import { hear, say } from '../../isolation/inside.ts';

/** Answers with the bytes that it is given, again and again, instead of frames. */
say({ is: 'ready' });
const { bytes = new Uint8Array() } = hear() ?? {};
for (;;) writeSync(1, bytes);
