import { type Html, html } from '../../../../core/html.ts';
import { onboardingStatus } from '../../../../core/rules/onboarding.ts';
import type { StepName, StepState } from '../../../../core/rules/progress.ts';
import type { DeskMessage, DeskTexts } from '../../../../core/texts/desk-texts.ts';
import { brandOf, findLandlordBrand } from '../../../../db/access/landlord-brands.ts';
import type { ListedApplication, ListedParticipant } from '../../../../db/applications/application-lists.ts';
import { findProgress, type Progress } from '../../../../jobs/invitations/progress.ts';
import type { Parts, Visit } from '../../route.ts';

export const stepWords = {
  answer: 'step.answer',
  profile: 'profile',
  documents: 'step.documents',
  kyc: 'check.kyc',
  eid: 'check.eid',
  analysis: 'check.analysis',
} as const satisfies Record<StepName, DeskMessage>;

/** `none`: the check was not started. `missing`: for readers who may not know why it is not done. */
type ShownState = StepState | 'none' | 'missing';

interface ShownStep {
  name: string;
  state: ShownState;
}

/** The steps of each person who takes part, by participant: as a strip, and in words what is missing. */
export async function stepsOf(
  visit: Visit,
  parts: Parts,
  application: ListedApplication,
  participants: readonly ListedParticipant[],
): Promise<(participant: ListedParticipant) => Html | undefined> {
  const row = await findLandlordBrand(parts.db, application.landlord_id);
  const brand = row ? brandOf(row) : { language: null };
  const strips = new Map<string, Html>();
  for (const one of participants.filter(
    ({ removed_at, consent_status }) => removed_at === null && consent_status !== 'rejected',
  )) {
    const person = {
      apiKeyId: application.api_key_id,
      participantId: one.id,
      email: one.email,
      // A landlord sees what is done, also before the answer.
      consent: 'accepted' as const,
      isGuarantor: one.is_guarantor === 1,
      hasProfile: onboardingStatus(one, visit.now) === 'COMPLETED',
      brand,
    };
    strips.set(one.id, strip(visit, one, await findProgress(parts, person, 'invitation')));
  }
  return ({ id }) => strips.get(id);
}

function strip({ t, visitor }: Visit, { invite, consent_status }: ListedParticipant, progress: Progress): Html {
  const states = new Map(progress.steps.map((step): [StepName, StepState] => [step.name, step.state]));
  const step = (which: StepName, absent: ShownState): ShownStep => {
    const state = states.get(which) ?? absent;
    const isKnown = visitor.looker !== undefined || state === 'done' || state === 'open';
    return { name: t.text(stepWords[which]), state: isKnown ? state : 'missing' };
  };
  const steps: ShownStep[] = [
    ...(invite ? [{ name: t.text('invitation'), state: INVITE_STATES[invite.status] }] : []),
    { name: t.text(stepWords.answer), state: consent_status === 'accepted' ? 'done' : 'open' },
    step('profile', 'open'),
    step('documents', 'open'),
    ...(progress.isFromBank ? [{ name: t.text('check.bank'), state: 'done' as const }] : []),
    step('kyc', 'none'),
    ...(states.has('eid') ? [step('eid', 'none')] : []),
    step('analysis', 'none'),
  ];
  const items = steps.map(
    (one) => html`<li class="${one.state}"><b>${one.name}</b> <span>${t.text(`step.state.${one.state}`)}</span></li>`,
  );
  return html`<ol class="strip" aria-label="${t.text('steps')}">${items}</ol>
${missing(t, progress)}`;
}

const INVITE_STATES = { pending: 'running', sent: 'done', failed: 'ended', cancelled: 'ended' } as const;

/** The kinds of documents that are still wanted, and how many of each. */
function missing(t: DeskTexts, { wanted, requests }: Progress): Html | undefined {
  const kinds = wanted
    .filter(({ count, handed }) => handed < count)
    .map(({ type, count, handed }) =>
      count > 1
        ? t.text('steps.some-of', { document: t.text(`document.${type}`), handed, count })
        : t.text(`document.${type}`),
    );
  const asked = requests.map(({ type }) => t.text('steps.asked-again', { document: t.text(`document.${type}`) }));
  const all = [...kinds, ...asked];
  return all.length > 0 ? html`<p class="note">${t.text('steps.documents', { names: t.list(all) })}</p>` : undefined;
}
