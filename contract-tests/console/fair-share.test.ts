import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { useService } from '../../harness/service/service.ts';
import { CONSOLE, consoleUrl, OperatorBrowser } from './operators.ts';

databases('either');

/** Under way at once, each begun again when it is answered. */
const FLOOD = 200;
const PAGE = '/deliveries';

/** Counts instead of times: who is answered before whom. */
describe('an operator who has many pages under way', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });

  it('leaves another operator and every landlord their turns', async () => {
    const loud = await OperatorBrowser.signIn(test, 'operator');
    const quiet = await OperatorBrowser.signIn(test, 'viewer');
    const [cookie] = loud.browser.cookies.get(new URL(consoleUrl(test)).origin) ?? [];
    const headers = { cookie: `console=${cookie?.value}` };
    let [answered, isOver] = [0, false];
    const statuses = new Set<number>();
    const again = async () => {
      do {
        const { status, body } = await fetch(`${consoleUrl(test)}${PAGE}`, { headers });
        await body?.cancel();
        statuses.add(status);
        answered++;
      } while (!isOver);
    };
    const others = async () => {
      expect((await quiet.open(PAGE)).status).to.equal(200);
      expect((await test.charlie.call('listWorkspaces')).status).to.equal(200);
      const tenants = [{ email: `new-${answered}@mail.example`, is_lead: true }];
      expect((await test.charlie.call('createApplication', { body: { title: 'Quiet', tenants } })).status).to.equal(
        200,
      );
    };
    const flood = Array.from({ length: FLOOD }, again);
    // Connections are accepted in the order in which they arrive.
    await others();
    const before = answered;
    await others();
    isOver = true;
    const meanwhile = answered - before;
    await Promise.all(flood);
    expect(meanwhile, 'pages answered while the others waited').to.be.below(FLOOD);
    expect([...statuses].filter((status) => ![200, 503].includes(status))).to.deep.equal([]);
  });
});
