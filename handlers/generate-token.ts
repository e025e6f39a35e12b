import { issueToken, TOKEN_LIFETIME_SECONDS } from '../core/secrets/tokens.ts';
import type { Answer, Handler } from './handler.ts';

/** Product document 4.1. The credentials were checked by `http/api/authenticate`. */
export const generateToken: Handler<'generateToken'> = async (_request, ctx): Answer<'generateToken'> => ({
  message: 'Access token generated.',
  data: {
    access_token: issueToken(ctx.caller.apiKeyId, ctx.keys.token, ctx.now),
    token_type: 'Bearer',
    expires_in: TOKEN_LIFETIME_SECONDS,
  },
});
