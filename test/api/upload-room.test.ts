import { expect } from 'chai';
import { files } from '../../projections/files.ts';
import { createUploadRoom, type NewUpload } from '../../src/service/api/upload-room.ts';
import { Problem } from '../../src/service/http/problems.ts';
import { failureOf } from '../support/failure.ts';
import { manualClock } from '../support/kernel/manual-clock.ts';
import { memoryReadModels } from '../support/read-store/memory-read-store.ts';

const LIMITS = { perLicense: 1_000, inTotal: 1_500, keptFree: 10_000 };

let uploads = 0;

/** An upload, of a file of its own unless it is named. */
function of(licenseId: string, size: number, replaced: NewUpload['replaced'] = null, id = ''): NewUpload {
  uploads += 1;
  return { id: id === '' ? `upload ${uploads}` : id, licenseId, size, replaced };
}

async function refused(asked: Promise<unknown>): Promise<void> {
  expect(await failureOf(asked))
    .to.be.instanceOf(Problem)
    .and.to.include({ code: 'INSUFFICIENT_STORAGE' });
}

describe('room for uploads', () => {
  const clock = manualClock();
  const open = (free: () => number = () => Infinity) => {
    const models = memoryReadModels([{ ...files, name: files.collection }]);
    const freeBytes = () => Promise.resolve(free());
    return { models, room: createUploadRoom({ models, clock, limits: LIMITS, freeBytes }) };
  };
  /** A file as another process has uploaded it. */
  const stored = (id: string, size: number, _uploadedBy: string) =>
    ({ kind: 'insert', collection: 'files', document: { id, size, _uploadedBy, ...POSITIONS } }) as const;
  const POSITIONS = { _created: 1, _position: 1, _revision: 0 };

  it('reserves twice the size of each arriving upload on the disk', async () => {
    let free = 10_400;
    const { room } = open(() => free);
    const first = await room.reserve({ least: 0, most: 100 });
    const second = await room.reserve({ least: 0, most: 100 });
    await refused(room.reserve({ least: 0, most: 1 }));
    first();
    await refused(room.reserve({ least: 0, most: 101 }));
    (await room.reserve({ least: 0, most: 100 }))();
    second();
    free = 10_000;
    await refused(room.reserve({ least: 0, most: 1 }));
    free = 10_002;
    await room.reserve({ least: 0, most: 1 });
  });

  it('releases its reservation when the disk cannot be measured', async () => {
    let free: number | null = null;
    const { room } = open(() => {
      if (free === null) throw new Error('no such directory');
      return free;
    });
    expect(await failureOf(room.reserve({ least: 0, most: 900 })))
      .to.be.instanceOf(Error)
      .and.not.to.be.instanceOf(Problem);
    free = 10_010;
    await room.reserve({ least: 0, most: 5 });
  });

  it('refuses at once what can never fit', async () => {
    const { room } = open();
    await refused(room.reserve({ least: 1_001, most: 2_000 }));
    await room.reserve({ least: 1_000, most: 2_000 });
  });

  it('counts stored uploads and those that are arriving, but not those that failed', async () => {
    const { models, room } = open();
    await models.apply([stored('1', 300, 'a'), stored('2', 100, 'b')], 1);
    const first = await room.charge(of('a', 400));
    await refused(room.charge(of('a', 301)));
    const second = await room.charge(of('a', 300));
    first(true);
    second(false);
    const third = await room.charge(of('a', 200, { licenseId: 'a', size: 400 }));
    third(true);
    await refused(room.charge(of('a', 501)));
    (await room.charge(of('b', 200, { licenseId: 'a', size: 200 })))(true);
    await refused(room.charge(of('a', 701)));
    (await room.charge(of('a', 700)))(true);
    await refused(room.charge(of('b', 201))); // In total.
    await room.charge(of('b', 200));
  });

  it('sees a minute later what other processes have stored', async () => {
    const { models, room } = open();
    (await room.charge(of('a', 100)))(false);
    await models.apply([stored('1', 900, 'a')], 1);
    const pending = await room.charge(of('a', 100));
    clock.pass(60_000);
    await refused(room.charge(of('a', 1))); // With what is on its way.
    pending(false);
    await refused(room.charge(of('a', 101)));
    await room.charge(of('a', 100));
  });

  it('counts an upload once, even if the read models show it before it has ended', async () => {
    const { models, room } = open();
    const upload = await room.charge(of('a', 600, null, 'logo'));
    await models.apply([stored('logo', 600, 'a')], 1);
    clock.pass(60_000);
    const second = await room.charge(of('a', 400));
    await refused(room.charge(of('a', 1)));
    upload(true);
    second(true);
    await refused(room.charge(of('a', 1)));
  });

  it('counts only the remaining one of two uploads that replace a file at once', async () => {
    const { models, room } = open();
    await models.apply([stored('logo', 300, 'a')], 1);
    const replaced = { licenseId: 'a', size: 300 };
    const first = await room.charge(of('a', 500, replaced, 'logo'));
    const second = await room.charge(of('a', 400, replaced, 'logo'));
    await refused(room.charge(of('a', 101)));
    first(true);
    second(true);
    await refused(room.charge(of('a', 601)));
    const rest = await room.charge(of('a', 600));
    rest(false);
    // One that comes to nothing leaves what was there.
    const third = await room.charge(of('a', 900, { licenseId: 'a', size: 400 }, 'logo'));
    third(false);
    await refused(room.charge(of('a', 601)));
    await room.charge(of('a', 600));
  });

  it('counts an upload that ends while the files are counted', async () => {
    const { models, room } = open();
    const before = { licenseId: 'a', size: 100 };
    await models.apply([stored('logo', 100, 'a')], 1);
    const upload = await room.charge(of('a', 700, before, 'logo'));
    clock.pass(60_000);
    const counted = room.charge(of('a', 300));
    upload(true);
    await counted;
    await refused(room.charge(of('a', 1)));
  });
});
