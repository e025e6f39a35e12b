import { expect } from 'chai';
import { readable } from '../../harness/browser/web-browser.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { type TestService, useService } from '../../harness/service/service.ts';
import { CONSOLE, OperatorBrowser } from './operators.ts';
import { type Scene, setScene } from './scene.ts';

interface AtWork {
  test: TestService;
  scene: Scene;
  /** The signed-in operator's browser. */
  operator: OperatorBrowser;
  db: () => TestService['service']['runtime']['db'];
  /** The scene's value for a path parameter, by the segment before it. */
  example(place: string): string;
  /** Follows an action's redirect. @returns the text of the page */
  follow(answer: Awaited<ReturnType<OperatorBrowser['act']>>): Promise<string>;
  /** The operator's actions in the audit log, except sign-ins and reads. */
  done(): Promise<string[]>;
}

/** For the tests of the enclosing suite: a service with data for every page, and a signed-in operator. */
export function useOperatorAtWork(settings: Record<string, string> = {}): AtWork {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false', ...settings });
  const scene = suiteFixture(() => setScene(test));
  const operator = suiteFixture(() => OperatorBrowser.signIn(test, 'operator'));
  const db = () => test.service.runtime.db;
  return {
    ...{ test, scene, operator, db },
    example: (place) => scene.examples[place] ?? expect.fail(`no example for ${place}`),
    async follow(answer) {
      expect(answer.status, readable(answer.text)).to.equal(303);
      return readable((await operator.browser.open(new URL(answer.location ?? '', answer.url).href)).text);
    },
    async done() {
      const entries = await db()('audit_entries')
        .where({ actor_kind: 'operator', actor: operator.name })
        .orderBy('sequence');
      return entries.map(({ action }) => action).filter((action) => !/^console-account|\.read$/.test(action));
    },
  };
}
