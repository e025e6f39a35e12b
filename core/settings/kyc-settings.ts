import { oneOf, optional, readerOf, setting, text } from './setting.ts';

export type KycSettings = { provider: 'sandbox' } | ({ provider: 'stripe' } & StripeSettings);

export interface StripeSettings {
  secretKey: string;
  /** Messages may be signed with any of them: two during a rotation. */
  webhookSecrets: string[];
  /** The origin of Stripe's API or of a mock. */
  apiBase: URL;
  /** A verification flow from Stripe's dashboard; the default requests an identity document. */
  verificationFlow?: string;
}

const STRIPE_API = 'https://api.stripe.com';

export const kycProvider = {
  KYC_PROVIDER: setting(
    oneOf('sandbox', 'stripe'),
    'sandbox',
    'Provider of identity checks: simulated, or [Stripe](#kyc-with-stripe-identity).',
  ),
};

export const kycSettings = {
  STRIPE_SECRET_KEY: optional(text, 'Test key in the sandbox, live key in live; `rk_…` suffices.'),
  STRIPE_WEBHOOK_SECRET: optional(text, 'Signing secret of the endpoint (`whsec_…`); both during a change.'),
  STRIPE_VERIFICATION_FLOW: optional(text, 'Verification flow of your dashboard (`vf_…`). Unset: identity document.'),
  STRIPE_API_BASE: setting(text, STRIPE_API, 'Address of a mock.'),
};

/** Appends problems to `faults`, which never show keys. */
export function readKyc(env: NodeJS.ProcessEnv, mode: 'sandbox' | 'live', faults: string[]): KycSettings {
  const provider = readerOf(kycProvider, env, faults)('KYC_PROVIDER');
  return provider === 'stripe' ? { provider, ...readStripe(env, mode, faults) } : { provider };
}

function readStripe(env: NodeJS.ProcessEnv, mode: 'sandbox' | 'live', faults: string[]): StripeSettings {
  const read = readerOf(kycSettings, env, faults);
  const secretKey = read('STRIPE_SECRET_KEY') ?? '';
  const kind = mode === 'live' ? 'live' : 'test';
  // A sandbox must not verify real people, and live mode must not verify test people.
  if (!new RegExp(`^[sr]k_${kind}_\\w+$`).test(secretKey))
    faults.push(`STRIPE_SECRET_KEY must be a ${kind} key (sk_${kind}_… or rk_${kind}_…) in ${mode} mode.`);
  const webhookSecrets = (read('STRIPE_WEBHOOK_SECRET') ?? '').split(',').map((secret) => secret.trim());
  if (!webhookSecrets.every((secret) => /^whsec_\S+$/.test(secret)))
    faults.push(
      'STRIPE_WEBHOOK_SECRET must be the signing secret of the endpoint (whsec_…), or several between commas.',
    );
  const apiBase = URL.parse(read('STRIPE_API_BASE'));
  if (!apiBase || !isApiBase(apiBase, mode))
    faults.push(`STRIPE_API_BASE must be an ${mode === 'live' ? 'https' : 'http or https'} address without a path.`);
  const verificationFlow = read('STRIPE_VERIFICATION_FLOW');
  return {
    secretKey,
    webhookSecrets,
    apiBase: apiBase ?? new URL(STRIPE_API),
    ...(verificationFlow ? { verificationFlow } : {}),
  };
}

function isApiBase(url: URL, mode: 'sandbox' | 'live'): boolean {
  const scheme = url.protocol === 'https:' || (mode === 'sandbox' && url.protocol === 'http:');
  return scheme && url.href === `${url.origin}/`;
}
