import { readRequest, writeFrame } from '../../isolation/worker-io.ts';

/** Exits in the middle of its work. */
writeFrame({ is: 'ready' });
readRequest();
writeFrame({ is: 'halfway' });
process.exit(3);
