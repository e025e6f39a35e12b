import { type Html, html } from '../../../core/html.ts';
import type { Step, StepName, StepState } from '../../../core/rules/progress.ts';
import type { Message, Texts } from '../../../core/texts/texts.ts';
import type { Invited } from '../../../db/applications/invited.ts';
import type { CheckProgress } from '../../../jobs/invitations/progress.ts';
import { journey } from './journey.ts';
import type { LinkView } from './link-states.ts';
import { type UnmarkedPage, windowTitle } from './page.ts';
import { phoneSection } from './phone.ts';
import { rejectionIn } from './rejection.ts';
import { missingDocuments } from './wanted.ts';

type Person = Pick<Invited, 'title' | 'landlord' | 'isLead' | 'isGuarantor'>;

/** The person's home: what is done, what is next, and what others see. It has links only, so that nothing happens by accident. */
export function homePage(t: Texts, person: Person, view: LinkView): UnmarkedPage {
  const { steps } = view.progress;
  const heading = t.text(person.isGuarantor ? 'home.title-guarantor' : 'home.title');
  return {
    t,
    title: windowTitle(t, [heading, t.text('name.application')]),
    main: html`${journey(t, steps)}
<h1 id="heading" tabindex="-1">${heading}</h1>
<p class="lead">${leadIn(t, person)}</p>
${nextStep(view)}
<h2>${t.text('home.steps')}</h2>
<ol class="steps">${steps.map((step) => stepItem(step, person, view))}</ol>
${phoneSection(t, view.phone)}
<h2>${t.text('home.others-title')}</h2>
<p>${t.rich(person.isLead ? 'home.others-lead' : 'home.others', { landlord: person.landlord })}</p>
${help(t, person)}
<p class="note rights"><a href="${view.to('part')}#step">${t.text('part.title')}</a></p>`,
  };
}

function leadIn(t: Texts, { title, landlord, isGuarantor }: Person): Html {
  if (title.trim() === '') return t.rich('home.untitled', { landlord });
  return t.rich(isGuarantor ? 'home.lead-guarantor' : 'invitation.accepted-text', { title, landlord });
}

/** The first step that waits for the person, or else what they may still change. */
function nextStep(view: LinkView): Html {
  const { t, progress } = view;
  const { kyc, eid, steps } = progress;
  const isOpen = (name: StepName) => steps.some((step) => step.name === name && step.state === 'open');
  const go = (address: string, label: string, isPlain = false) =>
    html`<p class="actions"><a class="button${isPlain ? html` plain` : undefined}" href="${address}#step">${label}</a></p>`;
  if (isOpen('documents')) return go(view.to('documents'), t.text('documents.next'));
  if (isOpen('kyc') && kyc?.token) return go(view.flow('kyc', kyc.token), t.text('kyc.hand-over'));
  if (isOpen('eid') && eid?.token) return go(view.flow('eid', eid.token), t.text('eid.confirm'));
  return go(view.to('documents'), t.text('documents.change'), true);
}

const names: Record<StepName, Message> = {
  answer: 'home.answer',
  profile: 'home.profile',
  documents: 'documents.title',
  kyc: 'data.kyc',
  eid: 'data.eid',
  analysis: 'data.analysis',
};

const stateNames: Record<StepState, Message> = {
  done: 'home.state.done',
  open: 'home.state.open',
  running: 'home.state.running',
  ended: 'home.state.ended',
};

function stepItem({ name, state }: Step, person: Person, view: LinkView): Html {
  const { t } = view;
  return html`<li class="${state}"><p class="what"><b>${t.text(names[name])}</b> <span>${t.text(stateNames[state])}</span></p>
${detail(name, state, person, view)}</li>`;
}

function detail(name: StepName, state: StepState, person: Person, view: LinkView): Html {
  const { t, progress } = view;
  switch (name) {
    case 'answer':
      return html`<p>${t.text('invitation.accepted')}</p>`;
    case 'profile':
      return html`<p>${t.text(state === 'done' ? 'onboarding.done' : 'profile.heading')}</p>`;
    case 'documents':
      return html`<p>${t.text('documents.handed', { count: progress.handed })}</p>
${state === 'open' ? html`<p>${t.text('home.documents-time')}</p>` : undefined}
${missingDocuments(t, progress)}
${view.hasBanks && state === 'open' && !progress.isFromBank ? html`<p><a href="${view.to('bank')}#step">${t.text('bank.link')}</a></p>` : undefined}`;
    case 'kyc':
      return check(progress.kyc, kycWords, person, (token) => view.flow('kyc', token), t);
    case 'eid':
      return check(progress.eid, eidWords, person, (token) => view.flow('eid', token), t);
    case 'analysis':
      return html`<p>${t.rich(analysisWords[state], { landlord: person.landlord })}</p>`;
  }
}

type Words = Readonly<Record<string, Message>>;

const kycWords: Words = {
  waiting: 'home.kyc.waiting',
  pending: 'home.kyc.pending',
  verified: 'kyc.verified-text',
  rejected: 'kyc.rejected',
  failed: 'kyc.failed-text',
  expired: 'kyc.expired-text',
};

const eidWords: Words = {
  waiting: 'home.eid.waiting',
  pending: 'home.kyc.pending',
  downloading: 'eid.confirmed',
  succeeded: 'eid.confirmed',
  cancelled: 'eid.cancelled',
  failed: 'eid.failed',
  expired: 'eid.expired-text',
};

const analysisWords: Record<StepState, Message> = {
  open: 'home.analysis.running',
  running: 'home.analysis.running',
  done: 'home.analysis.done',
  ended: 'home.analysis.ended',
};

/** A verification in plain words: how it stands, why, and what can be done. */
function check(
  progress: CheckProgress | undefined,
  words: Words,
  { landlord }: Person,
  address: (token: string) => string,
  t: Texts,
): Html {
  const { status, reason, token } = progress ?? { status: 'waiting', reason: null, token: null };
  const message = words[status];
  const isOver = token === null && !['verified', 'succeeded', 'downloading'].includes(status);
  return html`<p>${message && t.text(message)}</p>
${reason === null ? undefined : html`<p>${rejectionIn(t, reason)}</p>`}${isOver ? html`<p>${t.rich('home.again', { landlord })}</p>` : undefined}
${token === null ? undefined : html`<p><a href="${address(token)}#step">${t.text('page.continue')}</a></p>`}`;
}

const questions = ['time', 'missing', 'genuine', 'access'] as const;

function help(t: Texts, { landlord }: Person): Html {
  const items = questions.map(
    (name) =>
      html`<details><summary>${t.text(`help.${name}`)}</summary><p>${t.rich(`help.${name}-answer`, { landlord })}</p></details>`,
  );
  return html`<section class="help" aria-labelledby="help"><h2 id="help">${t.text('help.title')}</h2>${items}</section>`;
}
