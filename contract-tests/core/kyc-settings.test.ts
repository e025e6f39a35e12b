import { expect } from 'chai';
import { type KycSettings, readKyc } from '../../core/settings/kyc-settings.ts';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

const STRIPE = { KYC_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_abc', STRIPE_WEBHOOK_SECRET: 'whsec_abc' };
const LIVE = { ...STRIPE, STRIPE_SECRET_KEY: 'rk_live_abc' };

describe('the KYC settings', () => {
  const read = (env: Record<string, string>, mode: 'sandbox' | 'live' = 'sandbox'): [KycSettings, string] => {
    const faults: string[] = [];
    const settings = readKyc(env, mode, faults);
    return [settings, faults.join('\n')];
  };
  const faults = (env: Record<string, string>, mode?: 'sandbox' | 'live') => read(env, mode)[1];

  it('default to the simulated provider', () => {
    expect(read({})).to.deep.equal([{ provider: 'sandbox' }, '']);
    expect(faults({ KYC_PROVIDER: 'somebody' })).to.include('KYC_PROVIDER is "somebody"');
  });

  it('require a key and a signing secret for Stripe, and use api.stripe.com', () => {
    const [settings, none] = read(STRIPE);
    expect(none).to.equal('');
    expect(settings).to.deep.equal({
      provider: 'stripe',
      secretKey: 'sk_test_abc',
      webhookSecrets: ['whsec_abc'],
      apiBase: new URL('https://api.stripe.com'),
    });
    expect(faults(LIVE, 'live')).to.equal('');
    expect(faults({ KYC_PROVIDER: 'stripe' }))
      .to.include('STRIPE_SECRET_KEY')
      .and.include('STRIPE_WEBHOOK_SECRET');
  });

  it('keep real people out of the sandbox, and test people out of live', () => {
    for (const key of ['sk_live_abc', 'rk_live_abc', 'pk_test_abc', 'abc', 'sk_test_', 'x sk_test_abc'])
      expect(faults({ ...STRIPE, STRIPE_SECRET_KEY: key }), key).to.include('STRIPE_SECRET_KEY');
    for (const key of ['sk_test_abc', 'rk_test_abc', 'pk_live_abc'])
      expect(faults({ ...STRIPE, STRIPE_SECRET_KEY: key }, 'live'), key).to.include('STRIPE_SECRET_KEY');
  });

  it('accept several complete signing secrets', () => {
    const [settings] = read({ ...STRIPE, STRIPE_WEBHOOK_SECRET: 'whsec_old, whsec_new' });
    expect(settings).to.deep.include({ webhookSecrets: ['whsec_old', 'whsec_new'] });
    for (const secrets of ['whsec_', 'abc', 'whsec_old,', ',', 'whsec_old whsec_new'])
      expect(faults({ ...STRIPE, STRIPE_WEBHOOK_SECRET: secrets }), secrets).to.include('STRIPE_WEBHOOK_SECRET');
  });

  it('accept another API address: only an origin, and only https in live', () => {
    const [settings] = read({ ...STRIPE, STRIPE_API_BASE: 'http://127.0.0.1:12111' });
    expect(settings).to.deep.include({ apiBase: new URL('http://127.0.0.1:12111') });
    for (const base of [
      'nowhere',
      'ftp://mock.example',
      'https://mock.example/v1',
      'https://me@mock.example',
      'https://a.example?b',
    ])
      expect(faults({ ...STRIPE, STRIPE_API_BASE: base }), base).to.include('STRIPE_API_BASE');
    expect(faults({ ...LIVE, STRIPE_API_BASE: 'http://mock.example' }, 'live')).to.include('STRIPE_API_BASE');
  });

  it('never show a key, a secret or an address', () => {
    const wrong = {
      STRIPE_SECRET_KEY: 'hush1',
      STRIPE_WEBHOOK_SECRET: 'hush2',
      STRIPE_API_BASE: 'https://me:hush3@a.example',
    };
    expect(faults({ ...STRIPE, ...wrong })).to.not.include('hush');
  });
});
