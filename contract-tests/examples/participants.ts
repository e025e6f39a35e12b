import { recordPayment } from '../../db/applications/payments.ts';
import { shownData } from '../../harness/contract/named-examples.ts';
import { openApplication, type Scenario, type Scenarios, type Scene } from './scene.ts';

/** The participant who is changed and removed. The others match the examples. */
const guest = {
  name: '',
  email: 'jonas.weber@mail.example',
  consent_status: 'pending',
  onboarding_status: 'PENDING',
  id: null,
} as const;

async function openPair(scene: Scene): Promise<string> {
  const { title, participants } = shownData('removeParticipant', 'removed');
  return openApplication(scene, title, [...participants, guest]);
}

const toPair =
  (email: string, body?: unknown): Scenario =>
  async (scene) => ({ params: { applicationId: await openPair(scene), email }, body });

/** Removes the guest, for whom a payment is pending. */
const withPayment =
  (isProtected: boolean): Scenario =>
  async (scene) => {
    const applicationId = await openPair(scene);
    const payment = { applicationId, email: guest.email, amount: 350.5, isProtected };
    await scene.test.service.runtime.db.transaction((trx) => recordPayment(trx, payment, new Date()));
    return { params: { applicationId, email: guest.email } };
  };

const absent = { params: { applicationId: 'absent', email: guest.email } };

export const participants: Scenarios = {
  'updateParticipant 200 updated': async (scene) => {
    const { title, participants } = shownData('updateParticipant', 'updated');
    const before = participants.map((person) => (person.email === guest.email ? guest : person));
    const applicationId = await openApplication(scene, title, before);
    return { params: { applicationId, email: guest.email }, body: { name: 'Jonas Weber', is_guarantor: true } };
  },
  'updateParticipant 400 emailIsFixed': toPair(guest.email, { email: 'jonas@mail.example' }),
  'updateParticipant 400 wrongType': toPair(guest.email, { is_guarantor: 'yes' }),
  'updateParticipant 400 notAnEmail': toPair('jonas.weber', {}),
  'updateParticipant 404 notFound': () => ({ ...absent, body: { name: 'Jonas Weber' } }),
  'updateParticipant 404 participantNotFound': toPair('noah.meyer@mail.example', { name: 'Noah Meyer' }),
  'removeParticipant 200 removed': toPair(guest.email),
  'removeParticipant 200 protectedPayment': withPayment(true),
  'removeParticipant 200 unprotectedPayment': withPayment(false),
  'removeParticipant 400 notAnEmail': toPair('jonas.weber'),
  'removeParticipant 404 notFound': () => absent,
  'removeParticipant 404 participantNotFound': toPair('noah.meyer@mail.example'),
  'removeParticipant 409 lead': toPair('marta.ruiz@mail.example'),
};
