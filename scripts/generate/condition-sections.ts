import { alertOf, conditionIds, conditionOf } from '../../core/conditions/table.ts';

const SEEN = {
  settings: 'in the settings and files of the machine',
  database: 'in the database',
  machine: 'on the machine',
  provider: 'by asking',
};

/** A section for each condition. */
export function conditionSections(): string {
  return conditionIds
    .map((id) => {
      const { meaning, seen, threshold, remedy } = conditionOf(id);
      return `### ${id}\n\n${meaning} Seen ${SEEN[seen]}; alert \`${alertOf(id)}\`.\n\n- Threshold: ${threshold}\n- Remedy: ${remedy.replace(/:$/, '.')}\n`;
    })
    .join('\n');
}
