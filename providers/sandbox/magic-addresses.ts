/**
 * How a tester chooses an outcome: by a tag in the tenant's e-mail address. `marta+kyc-rejected@mail.example` fails her
 * identity verification; any other address succeeds.
 */
const magicTags = {
  kycRejected: '+kyc-rejected',
  eidFailed: '+eid-failed',
  forensicFailed: '+forensic-failed',
} as const;

export function hasMagicTag(email: string, tag: keyof typeof magicTags): boolean {
  return email.toLowerCase().split('@', 1).join('').includes(magicTags[tag]);
}
