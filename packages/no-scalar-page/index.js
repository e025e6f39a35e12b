// The plugin imports this name and calls it only for its own page, which the site does not use.
export function renderApiReference() {
  throw new Error("Scalar's own page is not served: see packages/no-scalar-page.");
}
