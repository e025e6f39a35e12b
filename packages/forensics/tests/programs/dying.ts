import { hear, say } from '../../isolation/inside.ts';

/** Ends in the middle of its work. */
say({ is: 'ready' });
hear();
say({ is: 'halfway' });
process.exit(3);
