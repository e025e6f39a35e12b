/** The longest subsequence with rising numbers (patience sorting). */
export function longestRise<Item>(items: readonly Item[], numberOf: (item: Item) => number): Set<Item> {
  const numbers = items.map(numberOf);
  const tails: number[] = [];
  const previous: number[] = [];
  const numberAt = (index: number | undefined) => numbers[index ?? -1] ?? 0;
  for (const [index, number] of numbers.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numberAt(tails[middle]) < number) low = middle + 1;
      else high = middle;
    }
    previous.push(tails[low - 1] ?? -1);
    tails[low] = index;
  }
  const rise = new Set<Item>();
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
    const item = items[index];
    if (item !== undefined) rise.add(item);
  }
  return rise;
}
