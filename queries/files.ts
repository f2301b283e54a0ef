import { File } from '../commands/files.ts';
import { files } from '../projections/files.ts';
import { reference } from '../src/domain/references.ts';
import { cdnKey, described } from '../src/domain/fields.ts';
import { equal } from '../src/domain/filters.ts';
import { query, resourceView } from '../src/domain/query.ts';

const licenseId = reference('license', 'The licence that owns it; null: it is shared.');

export const fileQuery = query(files, {
  view: resourceView('File', 'An uploaded file, as it is now.', {
    key: described(cdnKey, 'Its key, by which other resources refer to it.', 'TRACK/spa/logo.svg'),
    ...File.shape,
    licenseId: licenseId.nullable(),
  }),
  defaultSort: 'key',
  filters: { licenseId: equal('licenseId', licenseId), type: equal('type') },
});
