/** Limits the number of HMACs. */
const MAX_ORDERS = 20_000;
/** In total, which takes a second or two. */
const MAX_CHARACTERS = 200_000_000;

/** The value with its keys in every other order. Objects with the same keys share one: one rule sorted them. */
export function* keyOrders(value: unknown): Generator<string> {
  const shapes = [...new Map(keysIn(value).map((keys) => [nameOf(keys), keys])).values()].filter(
    (keys) => keys.length > 1,
  );
  const count = shapes.reduce((product, { length }) => product * factorial(length), 1);
  if (shapes.length === 0 || count > MAX_ORDERS) return;
  if (count * JSON.stringify(value).length > MAX_CHARACTERS) return;
  for (const orders of choices(shapes)) yield JSON.stringify(reordered(value, orders));
}

/** The keys of each object in the value. */
function keysIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(keysIn);
  return Array.isArray(value) ? below : [Object.keys(value), ...below];
}

type Orders = ReadonlyMap<string, readonly string[]>;

function* choices([first, ...others]: string[][]): Generator<Orders> {
  if (!first) return yield new Map();
  for (const rest of choices(others))
    for (const order of permutations(first)) yield new Map([...rest, [nameOf(first), order]]);
}

function* permutations(keys: readonly string[]): Generator<string[]> {
  if (keys.length < 2) return yield [...keys];
  for (const [place, key] of keys.entries())
    for (const rest of permutations(keys.toSpliced(place, 1))) yield [key, ...rest];
}

function reordered(value: unknown, orders: Orders): unknown {
  if (Array.isArray(value)) return value.map((item) => reordered(item, orders));
  if (typeof value !== 'object' || value === null) return value;
  const fields = new Map(Object.entries(value));
  const order = orders.get(nameOf([...fields.keys()])) ?? [...fields.keys()];
  return Object.fromEntries(order.map((key) => [key, reordered(fields.get(key), orders)]));
}

/** Equal for objects with the same keys. */
function nameOf(keys: readonly string[]): string {
  return JSON.stringify([...keys].sort());
}

function factorial(length: number): number {
  return length < 2 ? 1 : length * factorial(length - 1);
}
