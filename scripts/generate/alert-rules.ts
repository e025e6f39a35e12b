import { stringify } from 'yaml';
import { alertOf, type ConditionId, conditionIds, conditionOf } from '../../core/conditions/table.ts';

const HEADER = `# Generated from the table of conditions in core/conditions/ by \`npm run generate\`. Never edited by hand.
# Alert rules for Prometheus. The scrape job is named "screening"; see ../operating/monitor.md.
`;
/** Long enough for a restart of what is asked. */
const UNKNOWN_MINUTES = 15;

/** One rule for each condition, and one for all that cannot be checked. */
export function alertRules(): string {
  const unknown = {
    alert: 'ScreeningConditionUnknown',
    expr: 'max(screening_condition{state="unknown"}) > 0',
    for: `${UNKNOWN_MINUTES}m`,
    labels: { severity: 'ticket' },
    annotations: { summary: 'A condition cannot be checked, so it may be a problem. See "doctor".' },
  };
  const rules = [...conditionIds.map(ruleOf), unknown];
  return HEADER + stringify({ groups: [{ name: 'screening', rules }] }, { lineWidth: 0 });
}

function ruleOf(id: ConditionId) {
  const { meaning, remedy, alert } = conditionOf(id);
  const { severity, forMinutes, expression } = alert;
  return {
    alert: alertOf(id),
    expr: expression ?? `max(screening_condition{condition="${id}",state="problem"}) > 0`,
    ...(forMinutes > 0 ? { for: `${forMinutes}m` } : {}),
    labels: { severity, condition: id },
    annotations: { summary: `No longer true: ${meaning} ${remedy.replace(/:$/, '.')}` },
  };
}
