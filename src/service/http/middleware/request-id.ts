import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { withoutTokens } from '../../../domain/secrets.ts';

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/**
 * Takes the client's `X-Request-Id` if it is sane and holds no token, as it is stored with the events; else a new UUID.
 * `express-request-id` takes whatever was sent.
 */
export const requestId: RequestHandler = (req, res, next) => {
  const sent = req.headers['x-request-id'];
  const isSane = typeof sent === 'string' && REQUEST_ID.test(sent) && withoutTokens(sent) === sent;
  res.requestId = isSane ? sent : randomUUID();
  res.append('X-Request-Id', res.requestId);
  next();
};
