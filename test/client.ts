import { writeFileSync } from 'node:fs';
import { clientTypesOf, CLIENT_TYPES } from './support/api/client-types.ts';
import { startService } from './support/api/service.ts';

/** Writes the types of the interface: the service is started on empty stores, for its document. */
const service = await startService();
try {
  writeFileSync(CLIENT_TYPES, await clientTypesOf(service.document));
} finally {
  await service.close();
}
