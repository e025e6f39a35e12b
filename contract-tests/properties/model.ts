/** A model of what applications show, independent of the service's code. */

export interface Person {
  email: string;
  isLead: boolean;
  name: string;
  isGuarantor: boolean;
}

export interface Application {
  title: string;
  /** In the order of the request, without removed participants. */
  people: Person[];
  /** ISO 8601. */
  createdAt: string;
  updatedAt: string;
}

/** The identifier of an account by its address in lower case. */
export type Accounts = ReadonlyMap<string, string>;

export interface NewTenant {
  email: string;
  is_lead?: boolean;
}

export function newApplication(title: string, tenants: NewTenant[], now: string): Application {
  const people = tenants.map(({ email, is_lead = false }) => ({
    email,
    isLead: is_lead,
    name: '',
    isGuarantor: false,
  }));
  return { title, people, createdAt: now, updatedAt: now };
}

export function find(application: Application, email: string): Person | undefined {
  return application.people.find((person) => person.email.toLowerCase() === email.toLowerCase());
}

export function haveSamePeople(application: Application, tenants: NewTenant[]): boolean {
  return tenants.length === application.people.length && tenants.every(({ email }) => find(application, email));
}

/** The application as get-application shows it, without its identifier. */
export function summaryOf(application: Application, accounts: Accounts) {
  return { ...fieldsOf(application), participants: application.people.map((person) => summary(person, accounts)) };
}

/** The participant as an update shows it, without its identifier. */
export function viewOf(application: Application, accounts: Accounts) {
  const participants = application.people.map((person) => ({
    ...summary(person, accounts),
    is_lead: person.isLead,
    is_guarantor: person.isGuarantor,
  }));
  return { ...fieldsOf(application), participants };
}

function fieldsOf({ title, createdAt, updatedAt }: Application) {
  return { title, created_at: createdAt, updated_at: updatedAt };
}

function summary({ name, email }: Person, accounts: Accounts) {
  const id = accounts.get(email.toLowerCase()) ?? null;
  return { name, email, consent_status: 'pending', onboarding_status: 'PENDING', id };
}
