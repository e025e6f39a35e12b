import { sharedTurns } from '../../core/fair-turns.ts';
import type { BankProvider } from '../../providers/banking/port.ts';
import type { EidProvider, KycProvider } from '../../providers/identity/port.ts';

/** How many calls of one provider are under way at once. A party has at most half of them: providers limit all of our calls together. */
const callTurns = () =>
  sharedTurns({ atOnce: 50, ofOneParty: 25, waits: { at: 'calls', maxWaiting: 1_000, waitMs: 10_000 } });

/** Lets parties take turns at the calls of a provider. */
export function kycInTurns(kyc: KycProvider): KycProvider {
  const inTurn = callTurns();
  return {
    ...kyc,
    start: (...given) => inTurn(() => kyc.start(...given)),
    address: (flow) => inTurn(() => kyc.address(flow)),
    outcome: (flow) => inTurn(() => kyc.outcome(flow)),
  };
}

export function eidInTurns(eid: EidProvider): EidProvider {
  const inTurn = callTurns();
  return {
    ...eid,
    startAuthorization: (...given) => inTurn(() => eid.startAuthorization(...given)),
    handleCallback: (...given) => inTurn(() => eid.handleCallback(...given)),
    outcome: (flow) => inTurn(() => eid.outcome(flow)),
    documents: (flow) => inTurn(() => eid.documents(flow)),
  };
}

export function bankInTurns(bank: BankProvider): BankProvider {
  const inTurn = callTurns();
  return {
    ...bank,
    banks: (country) => inTurn(() => bank.banks(country)),
    startConsent: (request) => inTurn(() => bank.startConsent(request)),
    finishConsent: (...given) => inTurn(() => bank.finishConsent(...given)),
    details: (...given) => inTurn(() => bank.details(...given)),
    balance: (...given) => inTurn(() => bank.balance(...given)),
    bookings: (...given) => inTurn(() => bank.bookings(...given)),
    endConsent: (grant) => inTurn(() => bank.endConsent(grant)),
  };
}
