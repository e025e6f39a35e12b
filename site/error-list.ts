import { operationAddress, slugOf } from './addresses.ts';
import type { Contract, ListedOperation } from './contract.ts';
import { escapeHtml, inlineHtml } from './html.ts';
import { ERROR_LIST, type Page } from './page.ts';

/** Every error of the contract, by operation, so that readers can look up a message. */
export function errorListPage({ operations }: Contract): Page {
  const description = 'Every error answer of the contract, by operation: its status, when it happens and what it says.';
  const sections = operations.map(
    (operation) =>
      `<h2 id="${slugOf(operation.operationId)}"><a class="header-anchor" href="${escapeHtml(operationAddress(operation))}">${inlineHtml(operation.summary)}</a></h2>
<p><code>${operation.method} ${escapeHtml(operation.path)}</code></p>
<div class="table" role="group" aria-label="Errors of ${escapeHtml(operation.operationId)}" tabindex="0"><table>
<thead><tr><th>Status</th><th>When</th><th>Message</th></tr></thead>
<tbody>${rows(operation)}</tbody></table></div>`,
  );
  return {
    path: ERROR_LIST,
    title: 'Every error',
    description,
    html: `<h1>Every error</h1>\n<p>${description} The messages are examples: they are for people and may change. Let your code look at the status.</p>\n${sections.join('\n')}`,
    layout: 'article',
    headings: operations.map(({ operationId, summary }) => ({ level: 2, id: slugOf(operationId), text: summary })),
  };
}

function rows({ responses }: ListedOperation): string {
  return Object.entries(responses)
    .filter(([status]) => !status.startsWith('2'))
    .flatMap(([status, answer]) =>
      Object.values(answer.content?.['application/json']?.examples ?? {}).map(
        ({ summary = answer.description, value }) =>
          `<tr><td><code>${escapeHtml(status)}</code></td><td>${inlineHtml(summary)}</td><td>${inlineHtml(String(value.message))}</td></tr>`,
      ),
    )
    .join('\n');
}
