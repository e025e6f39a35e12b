import { basicOf } from '../../harness/service/client.ts';
import type { Scenario, Scenarios } from './scene.ts';

const basic = (clientId: string, secret: string) => `Basic ${basicOf(clientId, secret)}`;

const right: Scenario = ({ client }) => ({
  headers: { authorization: basic(client.clientId, client.clientSecret) },
});

export const authentication: Scenarios = {
  'generateToken 200 issued': right,
  'generateToken 401 noCredentials': () => ({ headers: { authorization: '' } }),
  'generateToken 401 wrongCredentials': ({ client }) => ({
    headers: { authorization: basic(client.clientId, 'wrong') },
  }),
  'generateToken 500 unexpected': right,
};
