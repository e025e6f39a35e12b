// The plugin imports these names and calls them only for routes that the site does not use: 20 MB of packages are not installed.
const unused = () => {
  throw new Error("Scalar's own routes are not served: see packages/no-scalar-parser.");
};
export const normalize = unused;
export const toJson = unused;
export const toYaml = unused;
