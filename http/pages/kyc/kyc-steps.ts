import { FormMistake } from '../../../core/rules/form-mistake.ts';
import { readPersonName } from '../../../core/rules/person-name.ts';
import {
  isRejectionReason,
  type SimulatedKyc,
  simulatedDocuments,
  simulatedOutcomes,
} from '../../../providers/sandbox/kyc.ts';
import { type KycStep, kycSteps, type StepView } from '../views/kyc-step.ts';
import type { UnmarkedPage } from '../views/page.ts';
import { capturePage, documentPage, namePage, reviewPage } from './kyc-answers.ts';

interface Step {
  show(view: StepView): UnmarkedPage;
  isDone(kyc: SimulatedKyc): boolean;
  /** Applies the submitted fields. @throws FormMistake */
  take(fields: URLSearchParams, kyc: SimulatedKyc): SimulatedKyc;
}

export const steps: Record<KycStep, Step> = {
  name: { show: namePage, isDone: ({ name }) => name !== undefined, take: takeName },
  document: { show: documentPage, isDone: ({ document }) => document !== undefined, take: takeDocument },
  capture: { show: capturePage, isDone: ({ captured }) => captured === 'person', take: takePhoto },
  outcome: { show: reviewPage, isDone: ({ outcome }) => outcome !== undefined, take: takeOutcome },
};

/** The first step that is not done; undefined when all are. */
export function currentStep(kyc: SimulatedKyc): KycStep | undefined {
  return kycSteps.find((step) => !steps[step].isDone(kyc));
}

/** Whether a person may open this step: any done step or the next one, until everything is done. */
export function isOpen(step: KycStep, kyc: SimulatedKyc): boolean {
  const current = currentStep(kyc);
  return current !== undefined && kycSteps.indexOf(step) <= kycSteps.indexOf(current);
}

function takeName(fields: URLSearchParams, kyc: SimulatedKyc): SimulatedKyc {
  return { ...kyc, name: readPersonName(fields.get('name') ?? '') };
}

/** Discards photos of another document. */
function takeDocument(fields: URLSearchParams, { captured, ...kyc }: SimulatedKyc): SimulatedKyc {
  const document = simulatedDocuments.find((name) => name === fields.get('document'));
  if (!document) throw new FormMistake('no-document');
  return { ...kyc, document, ...(captured && document === kyc.document ? { captured } : {}) };
}

/** The document's photo comes first and may be retaken; the person's follows. */
function takePhoto(fields: URLSearchParams, kyc: SimulatedKyc): SimulatedKyc {
  const photo = fields.get('photo') === 'person' ? 'person' : 'document';
  return photo === 'person' && !kyc.captured ? kyc : { ...kyc, captured: photo };
}

function takeOutcome(fields: URLSearchParams, kyc: SimulatedKyc): SimulatedKyc {
  const outcome = simulatedOutcomes.find((name) => name === fields.get('outcome'));
  if (!outcome) throw new FormMistake('no-outcome');
  if (outcome !== 'rejected') return { ...kyc, outcome };
  const reason = fields.get('reason') ?? '';
  if (!isRejectionReason(reason)) throw new FormMistake('no-reason');
  return { ...kyc, outcome, reason };
}
