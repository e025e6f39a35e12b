/** A function that keeps its result for each argument as long as the argument itself is in use. */
export function cached<Argument extends WeakKey, Result>(
  work: (argument: Argument) => Result,
): (argument: Argument) => Result {
  const known = new WeakMap<Argument, { result: Result }>();
  return (argument) => {
    const found = known.get(argument) ?? { result: work(argument) };
    known.set(argument, found);
    return found.result;
  };
}
