import express, { type Express } from 'express';
import type { Admission } from './admission.ts';
import { writeJson } from './write-json.ts';

/**
 * An Express application whose paths are compared as sent, which adds no headers of its own, and whose `res.json` writes our way (Express
 * documents the assignment). Requests reach its routes in a turn of their party only.
 */
export function createEdgeApp({ handle }: Pick<Admission, 'handle'>): Express {
  const app = express();
  for (const setting of ['x-powered-by', 'etag']) app.disable(setting);
  for (const setting of ['case sensitive routing', 'strict routing']) app.enable(setting);
  app.response.json = function (body) {
    writeJson(this, this.statusCode, body);
    return this;
  };
  app.use(handle);
  return app;
}
