import { readFileSync, writeFileSync } from 'node:fs';
import { RESOURCES } from '../src/service/resources/index.ts';
import { startService } from './support/api/service.ts';
import { INTERFACE_PAGE, partsOf, withParts } from './support/docs/generated-parts.ts';

/** `npm run docs`: writes the generated parts of docs/interface.md from the declarations of the resources. */
async function main(): Promise<void> {
  const service = await startService();
  await service.close();
  const parts = partsOf(service.document, RESOURCES);
  writeFileSync(INTERFACE_PAGE, withParts(readFileSync(INTERFACE_PAGE, 'utf8'), parts));
  process.stdout.write(`${INTERFACE_PAGE}: ${parts.size} parts\n`);
}

await main();
