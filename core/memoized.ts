/** Memoizes a promise for all callers; a failure is not cached. */
export function memoized<Thing>(make: () => Promise<Thing>): () => Promise<Thing> {
  let thing: Promise<Thing> | undefined;
  return () => {
    thing ??= make().catch((error) => {
      thing = undefined;
      throw error;
    });
    return thing;
  };
}
