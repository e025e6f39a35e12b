import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects garbage now, all of it or only what is young: when it would be collected otherwise depends on the speed of the machine. */
export const collectGarbage: (of?: { type: 'major' | 'minor' }) => void = runInNewContext('gc');
