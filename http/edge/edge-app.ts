import express, { type Express } from 'express';
import { writeJson } from './write-json.ts';

/**
 * An Express application whose paths are compared as sent, which adds no headers of its own, and whose `res.json` writes our way (Express
 * documents the assignment).
 */
export function createEdgeApp(): Express {
  const app = express();
  for (const setting of ['x-powered-by', 'etag']) app.disable(setting);
  for (const setting of ['case sensitive routing', 'strict routing']) app.enable(setting);
  app.response.json = function (body) {
    writeJson(this, this.statusCode, body);
    return this;
  };
  return app;
}
