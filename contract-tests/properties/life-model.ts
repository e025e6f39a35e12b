/** A model of applications and their people, independent of the service's code. */

export interface Person {
  email: string;
  name: string;
  isLead: boolean;
  isGuarantor: boolean;
  consent: 'pending' | 'accepted' | 'rejected';
  /** The expiry of the invitation; the lead has none. */
  invitedUntil: number | undefined;
  onboarding: OnboardingLink[];
  /** Whether each pending payment is protected. */
  payments: boolean[];
}

export interface OnboardingLink {
  path: string;
  until: number;
  isUsed: boolean;
}

export interface Application {
  id: string;
  title: string;
  /** Without removed participants. */
  people: Person[];
  /** Their valid links still lead to what is held about them. */
  removed: Person[];
  createdAt: number;
  updatedAt: number;
}

export interface Account {
  completedAt: number | undefined;
  outdatedAt: number | undefined;
}

/** Everything that one API key sees, and the time. */
export interface Life {
  now: number;
  applications: Application[];
  /** By address in lower case. */
  accounts: Record<string, Account>;
}

export function find({ applications }: Life, id: string, email: string): [Application, Person] | undefined {
  const application = applications.find((candidate) => candidate.id === id);
  const person = application?.people.find((candidate) => candidate.email.toLowerCase() === email.toLowerCase());
  return application && person && [application, person];
}

/** What a link answers whose person does not take part: a valid one of a removed person leads to its page. */
export function answerWithout(
  { applications, now }: Life,
  id: string,
  isValid: (person: Person, now: number) => boolean,
) {
  const removed = applications.find((candidate) => candidate.id === id)?.removed ?? [];
  return removed.some((person) => isValid(person, now)) ? 303 : 404;
}

/** The key's oldest application with exactly these people. */
export function findSame({ applications }: Life, emails: string[]): Application | undefined {
  const wanted = setOf(emails);
  return applications
    .filter(({ people }) => setOf(people.map(({ email }) => email)) === wanted)
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))[0];
}

function setOf(emails: string[]): string {
  return emails
    .map((email) => email.toLowerCase())
    .sort()
    .join(' ');
}

/** The application as get-application shows it, with `account` in place of an account id. */
export function summaryOf(life: Life, application: Application) {
  return { ...fieldsOf(application), participants: application.people.map((person) => personOf(life, person)) };
}

/** The participant as an update shows it. */
export function viewOf(life: Life, application: Application) {
  const participants = application.people.map((person) => ({
    ...personOf(life, person),
    is_lead: person.isLead,
    is_guarantor: person.isGuarantor,
  }));
  return { ...fieldsOf(application), participants };
}

function fieldsOf({ id, title, createdAt, updatedAt }: Application) {
  const [created_at, updated_at] = [createdAt, updatedAt].map((moment) => new Date(moment).toISOString());
  return { application_id: id, title, created_at, updated_at };
}

function personOf({ accounts, now }: Life, { name, email, consent }: Person) {
  const account = accounts[email.toLowerCase()];
  const onboarding_status = onboardingOf(account, now);
  return { name, email, consent_status: consent, onboarding_status, id: account ? 'account' : null };
}

function onboardingOf(account: Account | undefined, now: number): string {
  if (account?.completedAt === undefined) return 'PENDING';
  return account.outdatedAt !== undefined && account.outdatedAt <= now ? 'OUTDATED' : 'COMPLETED';
}
