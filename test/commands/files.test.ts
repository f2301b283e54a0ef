import { expect } from 'chai';
import { fileDecider } from '../../commands/files.ts';
import { given, happened } from '../support/kernel/given.ts';

const FILE = { type: 'LOGO', name: 'a.png', mediaType: 'image/png', size: 3, sha256: 'abc', content: 'files/1' };

const upload = (more: Partial<typeof FILE & { isLost: boolean }> = {}) =>
  ({ type: 'UploadFile', data: { ...FILE, isLost: false, ...more } }) as const;
const uploaded = (more: Partial<typeof FILE> = {}) => happened('FileUploaded', { ...FILE, ...more });

describe('file', () => {
  it('is uploaded, and replaced by other bytes or of another type', () => {
    given(fileDecider).when(upload()).then(uploaded());
    for (const other of [
      { sha256: 'def', content: 'files/2' },
      { mediaType: 'image/webp', content: 'files/2' },
    ]) {
      given(fileDecider, uploaded()).when(upload(other)).then(uploaded(other));
    }
  });

  it('is as it was after the same bytes, unless they were lost', () => {
    given(fileDecider, uploaded())
      .when(upload({ content: 'files/2' }))
      .thenNothing();
    given(fileDecider, uploaded(), uploaded({ sha256: 'def' }))
      .when(upload({ content: 'files/3' }))
      .then(uploaded({ content: 'files/3' }));
    const again = fileDecider.decide(
      fileDecider.evolve(null, uploaded()),
      upload({ content: 'files/2', isLost: true }),
    );
    expect(again).to.deep.equal([uploaded({ content: 'files/2' })]);
  });

  it('knows which bytes it has replaced', () => {
    const [first, second] = [uploaded(), uploaded({ sha256: 'def', content: 'files/2' })];
    const before = fileDecider.evolve(null, first);
    expect(before).to.include({ _content: 'files/1', _replaced: null });
    expect(fileDecider.evolve(before, second)).to.include({ _content: 'files/2', _replaced: 'files/1' });
  });
});
