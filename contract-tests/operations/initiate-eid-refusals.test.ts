import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import type { Refusal } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

const BACK = 'https://letting.example/eid/finished?case=8121&x=%20#end';

describe('initiate-eid', () => {
  const test = useService();

  /** An account that Alice may address. */
  const applicant = async (email: string) => {
    const body = { title: 'eID', tenants: [{ email, is_lead: true }] };
    await test.alice.ok('createApplication', { body });
    return (await test.tenant(email, { name: 'Eva' })).id;
  };
  const flows = (tenant_id: string) => test.service.runtime.db('eid_flows').where({ tenant_id }).select('status');
  const refuse = async (tenantId: string, body: unknown): Promise<Refusal> => {
    const answer = await test.alice.raw('POST', `/tenants/initiate-eid/${tenantId}`, {
      headers: { authorization: `Bearer ${test.alice.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status, `${JSON.stringify(body)}: ${answer.text}`).to.equal(400);
    return JSON.parse(answer.text);
  };

  describe('refuses with 400, names redirect_url and starts nothing:', () => {
    const kinds: Record<string, unknown[]> = {
      'none at all': [undefined, null],
      'another type': [7, true, [BACK], { href: BACK }],
      'what is not absolute': ['', ' ', '/back', 'back', 'letting.example/back', '//letting.example/back', '?a=b'],
      'what is malformed': [
        'https://',
        'http:///back',
        'https:/letting.example/',
        'https:letting.example',
        'https://a b.example/',
        'https://letting.example:99999/',
      ],
      'text that no header could carry': ['https://letting.example/\r\nSet-Cookie: a=b', 'https://letting.example/\0'],
      'other schemes': ['file:///etc/passwd', 'javascript:alert(1)', 'ftp://letting.example/', 'data:text/html,x'],
      'schemes of other protocols': ['ws://letting.example/', 'mailto:a@mail.example', 'blob:https://letting.example/'],
      credentials: [
        'https://user:pass@letting.example/',
        'https://user@letting.example/',
        'https://:p@letting.example/',
      ],
      'private IPv4 hosts': ['10.0.0.5', '172.31.255.255', '192.168.0.1', '100.64.0.1', '0.0.0.0'].map(
        (host) => `http://${host}/`,
      ),
      'reserved IPv4 hosts': ['224.0.0.1', '255.255.255.255', '198.18.0.1', '240.0.0.1'].map(
        (host) => `https://${host}/`,
      ),
      'the metadata host': ['169.254.169.254', '[fd00:ec2::254]', '[::ffff:169.254.169.254]'].map(
        (host) => `http://${host}/latest`,
      ),
      'private IPv6 hosts': ['[fd00::1]', '[fe80::1]', '[::]', '[ff02::1]', '[::ffff:10.0.0.5]'].map(
        (host) => `http://${host}/`,
      ),
      'private IPv4 hosts inside IPv6': ['[64:ff9b::a00:5]', '[2002:a00:5::1]', '[::10.0.0.5]'].map(
        (host) => `http://${host}/`,
      ),
      'private hosts in decimal': ['http://167772165/', 'http://2852039166/'],
      'private hosts in hexadecimal': ['http://0x0a000005/', 'http://0xA9.0xFE.0xA9.0xFE/'],
      'private hosts in octal': ['http://012.0.0.5/', 'http://0251.0376.0251.0376/'],
      'private hosts in short or with a dot': ['http://10.5/', 'http://10.0.0.5./', 'http://%31%30.0.0.5/'],
    };
    Object.entries(kinds).forEach(([what, urls], index) => {
      it(what, async () => {
        const tenantId = await applicant(`refused-${index}@mail.example`);
        for (const redirect_url of urls)
          expect((await refuse(tenantId, { redirect_url })).message).to.match(/^redirect_url: /);
        expect(await flows(tenantId)).to.be.empty;
      });
    });

    it('a body that is not an object, and unknown fields', async () => {
      const tenantId = await applicant('refused@mail.example');
      for (const body of [null, [], BACK]) await refuse(tenantId, body);
      expect((await refuse(tenantId, { redirect_url: BACK, locale: 'es' })).message).to.match(/locale: is not a field/);
      expect(await flows(tenantId)).to.be.empty;
    });
  });
});
