import type { RequestHandler } from 'express';
import type { Endpoint } from '../endpoint.ts';
import { parseHead, requestRules } from '../parameters.ts';

/** Reads and checks path, query and the headers that the endpoint honours: 400. */
export function parameters(endpoint: Endpoint): RequestHandler {
  const rules = requestRules(endpoint);
  const { revokes } = endpoint;
  return (req, res, next) => {
    const sent = joined(req.params);
    res.head = parseHead(req, rules, sent);
    res.revokesOwnKey = revokes !== undefined && sent[revokes] === res.caller?.apiKeyId;
    next();
  };
}

/** Parameters of a path; Express gives the segments of `*name` one by one. */
function joined(params: Readonly<Record<string, string | readonly string[]>>): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const name in params) {
    const value = params[name] ?? '';
    values[name] = typeof value === 'string' ? value : value.join('/');
  }
  return values;
}
