import type { TestService } from './service.ts';

/**
 * Inspects the uploads of the suite as if one person handed them in: a process for each person takes half a second of CPU, and their files
 * are the suite's own. For suites that ask nothing about these processes. @param running gives the service once it runs
 */
export function inspectedTogether(running: () => Pick<TestService, 'service'>): void {
  before(() => {
    const { forensics } = running().service.runtime;
    const { inspect } = forensics;
    forensics.inspect = (document, today) => inspect(document, today, 'everybody');
  });
}
