import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects all garbage now: when it would be collected otherwise depends on the speed of the machine. */
export const collectGarbage: () => void = runInNewContext('gc');
