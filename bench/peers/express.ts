/** A typical hand-written Express 5 server, without validation. */
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { createdAnswer, foundAnswer, notFound, unauthenticated } from './answers.ts';
import { openData } from './open-data.ts';
import { createKeyCheck } from './tokens.ts';

const data = openData();
const keyOf = createKeyCheck(data);

const authenticate: RequestHandler = async (req, res, next) => {
  const keyId = await keyOf(req.headers.authorization);
  if (keyId === undefined) {
    res.status(401).json(unauthenticated);
    return;
  }
  res.locals['keyId'] = keyId;
  next();
};

const onError: ErrorRequestHandler = (_error, _req, res, _next) => {
  res.status(500).json({ status: 'error', message: 'Something went wrong.' });
};

const applications = express.Router();
applications.use(authenticate);
applications.post('/create-application', express.json(), async (req, res) => {
  res.json(createdAnswer(await data.createApplication(res.locals['keyId'], req.body, new Date())));
});
applications.get('/:applicationId', async (req, res) => {
  const found = await data.findApplication(res.locals['keyId'], req.params.applicationId);
  if (found) res.json(foundAnswer(found, new Date()));
  else res.status(404).json(notFound);
});

const app = express();
app.disable('x-powered-by');
// As in the service: responses are not cacheable.
app.disable('etag');
app.use('/api/v1/applications', applications);
app.use(onError);
app.listen(Number(process.env['PORT']), '127.0.0.1');
