import { writeFileSync } from 'node:fs';
import { readRequest, writeFrame } from '../../isolation/worker-io.ts';

/** Tries to change the compiled code that the next process would run. */
writeFrame({ is: 'ready' });
const { file } = Object(readRequest()?.header);
writeFileSync(file, 'x'.repeat(10_000));
writeFrame({ written: true });
