import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { addressOf } from '../../harness/service/every-route.ts';
import { consoleRoutes } from '../../http/backoffice/routes.ts';
import { useOperatorAtWork } from './at-work.ts';
import { attack, raw } from './attacks.ts';
import { addOperator, OperatorBrowser } from './operators.ts';

databases('either', 'nightly');

describe('attacks on the console', () => {
  const { test, scene, operator } = useOperatorAtWork();

  it('the public port does not serve it under any spelling of the path', async () => {
    const { host } = new URL(test.service.url);
    const cookies = operator.browser.cookies.get(new URL(operator.base).origin) ?? [];
    for (const path of [
      ...['/console', '/console/', '/console/sign-in', '/console/deliveries', '//console/', '/Console/', '/console%2F'],
      ...['/./console/', '/api/../console/', '/api/v1/../../console/', '/docs/..%2fconsole/', '/%63onsole/'],
      ...['/console;a=b/', '/console/?status=failed', `${operator.base}/`],
    ])
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
        const { status, text, headers: answered } = await raw(`http://${host}`, path, { method, headers });
        expect(status, `${method} ${path}`).to.be.oneOf([400, 404, 405]);
        expect(text).to.not.include('Screening console');
        expect(answered['set-cookie'], path).to.equal(undefined);
      }
    expect((await raw(new URL(operator.base).origin, '/livez')).status).to.equal(200);
  });

  attack({
    name: 'console',
    test,
    routes: consoleRoutes,
    place: (route) => addressOf(route, scene),
    victim: operator,
    enter: () => OperatorBrowser.signIn(test, 'operator'),
    enterAsViewer: () => OperatorBrowser.signIn(test, 'viewer'),
    link: async () => (await addOperator(test, 'operator')).link,
  });
});
