import { accountRoutes } from './pages/account/account.ts';
import { applicationRoutes } from './pages/applications/applications.ts';
import { memberRoutes } from './pages/desk/members.ts';
import { overviewRoutes } from './pages/desk/overview.ts';
import { propertyRoutes } from './pages/landlord/properties.ts';
import { deskSettingsRoutes } from './pages/landlord/settings.ts';
import { auditRoutes } from './pages/operators/audit.ts';
import { dashboardRoutes } from './pages/operators/dashboard.ts';
import { landlordRoutes } from './pages/operators/landlords.ts';
import { privacyRoutes } from './pages/operators/privacy.ts';
import { peopleRoutes } from './pages/people/people.ts';
import { reportRoutes } from './pages/reports/reports.ts';
import { analysisRoutes } from './pages/results/analyses.ts';
import { documentRoutes } from './pages/results/documents.ts';
import { identityRoutes } from './pages/results/identity.ts';
import { catalogueRoutes } from './pages/webhooks/catalogue.ts';
import { deliveryRoutes } from './pages/webhooks/deliveries.ts';
import { keyRoutes } from './pages/webhooks/keys.ts';
import { webhookRoutes } from './pages/webhooks/webhooks.ts';
import type { OfficeRoute, Parts } from './route.ts';

/** Pages and actions that both offices, or only the desk, have: they need no part of the operators' process. */
const shared: readonly OfficeRoute<Parts>[] = [
  ...overviewRoutes,
  ...applicationRoutes,
  ...peopleRoutes,
  ...identityRoutes,
  ...documentRoutes,
  ...analysisRoutes,
  ...reportRoutes,
  ...deliveryRoutes,
  ...webhookRoutes,
  ...catalogueRoutes,
  ...keyRoutes,
  ...memberRoutes,
  ...propertyRoutes,
  ...deskSettingsRoutes,
  ...accountRoutes,
];

const operators: readonly OfficeRoute[] = [...dashboardRoutes, ...landlordRoutes, ...privacyRoutes, ...auditRoutes];

/** Everything behind the sign-in of the console. The tests derive their matrix of roles and CSRF tokens from it. */
export const consoleRoutes: readonly OfficeRoute[] = [...operators, ...shared].filter(({ role }) => role !== undefined);

/** Everything behind the sign-in of the desk. The tests derive their matrix of roles, landlords and API keys from it. */
export const deskRoutes: readonly OfficeRoute<Parts>[] = shared.filter(({ members }) => members.length > 0);
