import { FormMistake } from '../../../core/rules/form-mistake.ts';
import { finishKyc, storeKycMemory } from '../../../jobs/identity/kyc-verifications.ts';
import { readSimulatedKyc, unattendedKyc, writeSimulatedKyc } from '../../../providers/sandbox/kyc.ts';
import { formOf } from '../../edge/form.ts';
import type { KycStep } from '../views/kyc-step.ts';
import { checkingPage, leavingPage } from './kyc-states.ts';
import { currentStep, isOpen, steps } from './kyc-steps.ts';
import { here, type KycRuntime, type VisitHandler } from './kyc-visit.ts';

/** Shows the current step; e-mail addresses that choose an outcome skip the steps. */
export const showProgress: VisitHandler = ({ hosted, t, to, show, go }) => {
  const { tenant, memory } = hosted.flow;
  const unattended = unattendedKyc(tenant.email);
  const kyc = readSimulatedKyc(memory);
  const step = currentStep(kyc);
  if (unattended === 'left') show(leavingPage(t, to));
  else if (unattended || !step) show(checkingPage(t, to));
  // One address per step, so that the browser's Back button works. Browsers keep the fragment.
  else go(to(step));
};

export function showStep(step: KycStep): VisitHandler {
  return ({ hosted, t, to, show, go }) => {
    const kyc = readSimulatedKyc(hosted.flow.memory);
    if (isOpen(step, kyc)) show(steps[step].show({ t, kyc, knownName: hosted.flow.tenant.name, to }));
    else go(here(to));
  };
}

export function takeAnswer(runtime: KycRuntime, step: KycStep): VisitHandler {
  return async ({ hosted, t, to, show, go, req }) => {
    const kyc = readSimulatedKyc(hosted.flow.memory);
    if (!isOpen(step, kyc)) return go(here(to));
    const sent = formOf(req);
    try {
      const taken = steps[step].take(sent, kyc);
      const keep = taken.outcome ? finishKyc : storeKycMemory;
      await keep(runtime, hosted.id, writeSimulatedKyc(taken));
      go(here(to));
    } catch (error) {
      if (!(error instanceof FormMistake)) throw error;
      const fault = error.mistake;
      show(steps[step].show({ t, kyc, knownName: hosted.flow.tenant.name, to, fault, sent }), 400);
    }
  };
}
