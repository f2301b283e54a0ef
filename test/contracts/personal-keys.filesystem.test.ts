import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openFilesystemPersonalKeys } from '../../infra/filesystem/personal-keys.ts';
import { openSharedLock } from '../../infra/lmdb/shared-lock.ts';
import { IS_WINDOWS } from '../../infra/system/disk.ts';
import { keyWrapping } from '../../infra/system/key-wrapping.ts';
import type { PersonalKeys } from '../../src/kernel/ports/personal-keys.ts';
import { useDirectories } from '../support/directories.ts';
import { failureOf } from '../support/failure.ts';
import { personalKeysContract } from './personal-keys.ts';

const home = useDirectories()();

async function openIn(name: string, secret: string | null = null): Promise<PersonalKeys> {
  const directory = join(home, name);
  const lock = await openSharedLock({ path: directory });
  try {
    return await openFilesystemPersonalKeys({ directory, wrapping: keyWrapping(secret), lock });
  } catch (error) {
    await lock.close();
    throw error;
  }
}

personalKeysContract({ name: 'filesystem', open: () => openIn('contract') });
personalKeysContract({ name: 'filesystem, with a secret', open: () => openIn('secret', 'the secret of the contract') });

describe('key store on the filesystem', () => {
  const textOf = (name: string): string => readFileSync(join(home, name, 'keys'), 'latin1');

  it('is for its owner only', async () => {
    await (await openIn('mode')).close();
    if (!IS_WINDOWS) expect(statSync(join(home, 'mode', 'keys')).mode & 0o777).to.equal(0o600);
  });

  it('keeps no key that was destroyed in any file of its directory', async () => {
    const keys = await openIn('destroyed');
    const key = Buffer.from((await keys.create('participant-1')) ?? []).toString('base64url');
    expect(textOf('destroyed')).to.contain(key);
    await keys.erase('participant-1', '2026-03-01T18:00:00.000Z');
    expect(textOf('destroyed')).not.to.contain(key);
    expect(readdirSync(join(home, 'destroyed'))).to.have.members(['gate', 'keys']);
    await keys.close();
  });

  it('keeps wrapped keys where a secret is set', async () => {
    const keys = await openIn('wrapped', 'a secret');
    const key = await keys.create('participant-1');
    expect(textOf('wrapped')).not.to.contain(Buffer.from(key ?? []).toString('base64url'));
    await keys.close();
  });

  it('refuses to open with another secret, and says so', async () => {
    await (await openIn('other-secret', 'one secret')).close();
    await (await openIn('no-secret')).close();
    const named = { name: 'WrongStoreSettings' };
    expect(await failureOf(openIn('other-secret', 'another secret'))).to.include(named);
    expect(await failureOf(openIn('other-secret'))).to.include(named);
    expect(await failureOf(openIn('no-secret', 'a secret'))).to.include(named);
    const again = await openIn('other-secret', 'one secret');
    await again.close();
  });

  it('goes on after a line that a killed writer left unfinished', async () => {
    const keys = await openIn('torn');
    const first = await keys.create('participant-1');
    appendFileSync(join(home, 'torn', 'keys'), '{"subject":"participant-2","ke');
    expect((await keys.find(['participant-1', 'participant-2'])).size).to.equal(1);
    const second = await keys.create('participant-2');
    await keys.close();
    const again = await openIn('torn');
    const found = await again.find(['participant-1', 'participant-2']);
    expect(found.get('participant-1')).to.deep.equal(first);
    expect(found.get('participant-2')).to.deep.equal(second);
    await again.close();
  });
});
