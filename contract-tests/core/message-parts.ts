import type { IntlMessageFormat } from 'intl-messageformat';

type Element = ReturnType<IntlMessageFormat['getAst']>[number];

/** The values and tags of a message, with their counts, and its plural forms. */
export function partsOf(elements: readonly Element[]): { needs: string[]; forms: string[] } {
  const parts = elements.flatMap((element) => {
    const own = 'value' in element && element.type !== 0 ? [`${element.type} ${element.value}`] : [];
    const style = 'style' in element && typeof element.style === 'string' ? [`style ${element.style}`] : [];
    const children = 'children' in element ? [partsOf(element.children)] : [];
    const options = 'options' in element ? Object.entries(element.options) : [];
    const forms = options.map(([form]) => form);
    // Each form contains at least what the last form contains; the last form is never omitted.
    const last = options.at(-1)?.[1];
    const inner = [...children, ...(last ? [partsOf(last.value)] : [])];
    return [
      {
        needs: [...own, ...style, ...inner.flatMap(({ needs }) => needs)],
        forms: [...forms, ...inner.flatMap(({ forms }) => forms)],
      },
    ];
  });
  return { needs: parts.flatMap(({ needs }) => needs).sort(), forms: parts.flatMap(({ forms }) => forms) };
}
