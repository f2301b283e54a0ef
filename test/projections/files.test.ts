import { expect } from 'chai';
import { files, filesProjection } from '../../projections/files.ts';
import { ROOT_LICENSE_ID } from '../../src/service/domain/roles.ts';
import { givenHistory, minute, type HistoryEvent } from '../support/kernel/projecting.ts';

const FILE = { type: 'LOGO', name: 'f/a.png', mediaType: 'image/png', size: 3, sha256: 'abc', content: 'files/1' };

const by = (licenseId: string, role = 'CRUD') => ({ licenseId, role });

const uploaded = (who: HistoryEvent['by'], more: Partial<typeof FILE> = {}): HistoryEvent => ({
  ...{ stream: 'file-1', type: 'FileUploaded', data: { ...FILE, ...more } },
  ...(who === undefined ? {} : { by: who }),
});

describe('files projection', () => {
  it('shows the newest upload under its key', async () => {
    const newer = { size: 5, sha256: 'def', content: 'files/2' };
    const { thenDocument } = await givenHistory([filesProjection], uploaded(by('a')), uploaded(by('b'), newer));
    expect(await thenDocument(files, '1')).to.deep.include({
      ...{ key: 'LOGO/f/a.png', type: 'LOGO', name: 'f/a.png', mediaType: 'image/png', size: 5, sha256: 'def' },
      ...{ licenseId: 'a', _uploadedBy: 'b', _content: 'files/2', createdAt: minute(0), updatedAt: minute(1) },
    });
  });

  it('knows who owns it by the first upload: nobody alone what the operator, an ADMIN key or the service made', async () => {
    const owners = [
      [by('a'), 'a'],
      [by('a', 'ADMIN'), null],
      [by(ROOT_LICENSE_ID), null],
      [undefined, null],
    ] as const;
    for (const [who, licenseId] of owners) {
      const { thenDocument } = await givenHistory([filesProjection], uploaded(who), uploaded(by('b')));
      expect(await thenDocument(files, '1')).to.include({ licenseId });
    }
  });
});
