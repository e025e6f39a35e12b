import { analysisRoutes } from './pages/analyses.ts';
import { applicationRoutes } from './pages/applications.ts';
import { auditRoutes } from './pages/audit.ts';
import { dashboardRoutes } from './pages/dashboard.ts';
import { deliveryRoutes } from './pages/deliveries.ts';
import { keyRoutes } from './pages/keys.ts';
import { landlordRoutes } from './pages/landlords.ts';
import { peopleRoutes } from './pages/people.ts';
import { privacyRoutes } from './pages/privacy.ts';
import { webhookRoutes } from './pages/webhooks.ts';
import type { ConsoleRoute } from './route.ts';

/** Every page and action behind the sign-in. The tests derive their matrix of roles and CSRF tokens from it. */
export const consoleRoutes: readonly ConsoleRoute[] = [
  ...dashboardRoutes,
  ...applicationRoutes,
  ...peopleRoutes,
  ...analysisRoutes,
  ...deliveryRoutes,
  ...webhookRoutes,
  ...landlordRoutes,
  ...keyRoutes,
  ...privacyRoutes,
  ...auditRoutes,
];
