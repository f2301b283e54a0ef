import { Ruleset, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';

/** Faults that Spectral finds in an OpenAPI document by its recommended rules, one line each. */
export async function spectralFaults(document: object): Promise<readonly string[]> {
  const spectral = new Spectral();
  spectral.setRuleset(new Ruleset({ extends: [[oas, 'recommended']] }));
  const found = await spectral.run(JSON.stringify(document));
  return found.map(({ code, message, path }) => `${code}: ${message} at ${path.join('/')}`);
}
