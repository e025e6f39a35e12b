import { hear, say } from '../../../forensics/isolation/inside.ts';

/** Ends in the middle of its work. */
say({ is: 'ready' });
hear();
say({ is: 'halfway' });
process.exit(3);
