import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import type { Sample } from './metrics.ts';

/** Two scrapes of one process. */
export interface Scrapes {
  before: readonly Sample[];
  now: readonly Sample[];
}

type Value = number | Sample[];

/** The metrics that an expression names. @throws Error when Prometheus would refuse it */
export function metricsIn(expression: string): string[] {
  const found: string[] = [];
  parser.parse(expression).iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`This is no PromQL: ${expression}`);
      if (node.name === 'Identifier') found.push(expression.slice(node.from, node.to));
    },
  });
  return found;
}

/**
 * The part of PromQL that our alerts use, over two scrapes: a range is the time between them. The grammar is that of Prometheus; there is
 * no maintained evaluator on npm. @returns whether the alert is active
 */
export function isActive(expression: string, scrapes: Scrapes): boolean {
  const root = parser.parse(expression).topNode.firstChild;
  const value = root ? evaluate(root, expression, scrapes) : [];
  return Array.isArray(value) && value.length > 0;
}

function evaluate(node: SyntaxNode, text: string, scrapes: Scrapes): Value {
  const of = (child: SyntaxNode) => evaluate(child, text, scrapes);
  const textOf = ({ from, to }: SyntaxNode) => text.slice(from, to);
  const [first, ...others] = childrenOf(node);
  const last = others.at(-1);
  switch (node.name) {
    case 'NumberDurationLiteral':
      return Number(textOf(node));
    case 'VectorSelector':
      return selected(node, textOf, scrapes.now);
    case 'FunctionCallBody':
      return first ? of(first) : [];
    case 'AggregateExpr':
      return first && last ? aggregated(textOf(first), samples(of(last))) : [];
    case 'FunctionCall': {
      if (!first || !last) return [];
      if (textOf(first) === 'abs')
        return samples(of(last)).map((sample) => ({ ...sample, value: Math.abs(sample.value) }));
      const selector = last.firstChild?.firstChild;
      if (textOf(first) === 'increase' && selector) return increases(selector, textOf, scrapes);
      break;
    }
    case 'BinaryExpr':
      if (first && others[0] && last) return combined(textOf(others[0]), of(first), of(last));
  }
  throw new Error(`The tests cannot evaluate ${node.name} in: ${text}`);
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

function samples(value: Value): Sample[] {
  return Array.isArray(value) ? value : [{ name: '', labels: {}, value }];
}

function selected(node: SyntaxNode, textOf: (node: SyntaxNode) => string, from: readonly Sample[]): Sample[] {
  const name = node.getChild('Identifier');
  const matchers = (node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []).map((matcher) => {
    const [label, operator, value] = childrenOf(matcher).map(textOf);
    const wanted: string = JSON.parse(value ?? '""');
    const expression = new RegExp(`^(?:${wanted})$`);
    return ({ labels }: Sample) => {
      const is = labels[label ?? ''] ?? '';
      if (operator === '=') return is === wanted;
      if (operator === '!=') return is !== wanted;
      return expression.test(is) === (operator === '=~');
    };
  });
  return from.filter((sample) => name && sample.name === textOf(name) && matchers.every((matches) => matches(sample)));
}

function increases(selector: SyntaxNode, textOf: (node: SyntaxNode) => string, { before, now }: Scrapes): Sample[] {
  const former = selected(selector, textOf, before);
  const key = ({ labels }: Sample) => JSON.stringify(Object.entries(labels).sort());
  // As in Prometheus, a new series has not increased yet.
  return selected(selector, textOf, now).flatMap((sample) => {
    const earlier = former.find((one) => key(one) === key(sample));
    return earlier ? [{ ...sample, value: sample.value - earlier.value }] : [];
  });
}

function aggregated(operation: string, from: readonly Sample[]): Sample[] {
  const values = from.map(({ value }) => value);
  if (values.length === 0) return [];
  const result = {
    sum: values.reduce((sum, value) => sum + value, 0),
    max: Math.max(...values),
    min: Math.min(...values),
  };
  if (operation !== 'sum' && operation !== 'max' && operation !== 'min') throw new Error(`Unknown: ${operation}`);
  return [{ name: '', labels: {}, value: result[operation] }];
}

const COMPARISONS: Record<string, (left: number, right: number) => boolean> = {
  '>': (left, right) => left > right,
  '<': (left, right) => left < right,
  '==': (left, right) => left === right,
};

function combined(operator: string, left: Value, right: Value): Value {
  const [divisor] = samples(right);
  if (!divisor) return [];
  if (operator === '/') return samples(left).map((sample) => ({ ...sample, value: sample.value / divisor.value }));
  const compare = COMPARISONS[operator];
  if (!compare) throw new Error(`Unknown: ${operator}`);
  return samples(left).filter(({ value }) => compare(value, divisor.value));
}
