import openapiTS, { astToString } from 'openapi-typescript';

/** The file with the types, which are generated. */
export const CLIENT_TYPES = 'src/clients/generated/api.ts';

const HEAD = `/** Types of the interface, for openapi-fetch. Made from the OpenAPI document by \`npm run client\`: do not edit them. */\n`;

/** The types of an OpenAPI document, as openapi-typescript makes them by default. */
export async function clientTypesOf(document: object): Promise<string> {
  // A copy: openapi-typescript changes what it is given.
  const made = await openapiTS(JSON.stringify(document));
  return HEAD + astToString(made);
}
