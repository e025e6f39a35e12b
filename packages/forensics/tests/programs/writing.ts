import { writeFileSync } from 'node:fs';
import { hear, say } from '../../isolation/inside.ts';

/** Tries to change the compiled code that the next process would run. */
say({ is: 'ready' });
const { file } = Object(hear()?.header);
writeFileSync(file, 'x'.repeat(10_000));
say({ written: true });
