import { createConfig, lintFromString } from '@redocly/openapi-core';

/** What Redocly's recommended rules leave out. */
const RULES = { 'operation-description': 'error', 'operation-tag-defined': 'error', 'info-contact': 'error' } as const;

/** Faults that Redocly finds in an OpenAPI document, one line each. */
export async function lintOpenApi(document: object): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: RULES });
  const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
  return found.map(
    ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} at ${String(location[0]?.pointer)}`,
  );
}
