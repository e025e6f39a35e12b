import { expect } from 'chai';
import { requestExamples } from '../../harness/contract/named-examples.ts';
import { databases } from '../../harness/database/dialect.ts';
import { useService } from '../../harness/service/service.ts';
import { requestFor, setStage } from '../../harness/service/stage.ts';

databases('either');

describe('the examples of requests', () => {
  const test = useService({ RUN_WORKERS: 'false' });

  it('are accepted by the service', async () => {
    const headers = { authorization: `Bearer ${test.alice.token}`, 'content-type': 'application/json' };
    for (const { operation, body } of requestExamples) {
      const { path } = requestFor(operation, 200, await setStage(test));
      const answer = await test.alice.raw(operation.method, path, { headers, body: JSON.stringify(body) });
      expect(answer.status, answer.text).to.equal(200);
    }
    expect(requestExamples.length).to.be.above(5);
  });
});
