import { expect } from 'chai';
import { addSimulator, changeSimulator, simulatorDecider } from '../../commands/simulators.ts';
import { given, happened } from '../support/kernel/given.ts';

const required = { displayName: 'iRacing', slug: 'iracing', logo: 'LOGO/i.svg', logoWide: 'LOGO/i-wide.svg' };
const simulator = { ...required, svg: true, enabled: true };
const added = happened('SimulatorAdded', simulator);

describe('simulator', () => {
  it('is added', () => {
    given(simulatorDecider).when({ type: 'AddSimulator', data: simulator }).then(added);
  });

  it('says what a replacement changes, and only that', () => {
    given(simulatorDecider, added)
      .when({ type: 'ChangeSimulator', data: { ...simulator, displayName: 'iR2', logoWide: 'LOGO/2.png', svg: false } })
      .then(
        happened('SimulatorRenamed', { displayName: 'iR2' }),
        happened('SimulatorLogoChanged', { logo: simulator.logo, logoWide: 'LOGO/2.png', svg: false }),
      );
    given(simulatorDecider, added)
      .when({ type: 'ChangeSimulator', data: { ...simulator, slug: 'ir2' } })
      .then(happened('SimulatorSlugChanged', { slug: 'ir2' }));
  });

  it('keeps svg and enabled where a replacement leaves them out', () => {
    given(simulatorDecider, added).when({ type: 'ChangeSimulator', data: required }).thenNothing();
    given(simulatorDecider, happened('SimulatorAdded', { ...simulator, svg: false, enabled: false }))
      .when({ type: 'ChangeSimulator', data: { ...required, logo: 'LOGO/new.png' } })
      .then(happened('SimulatorLogoChanged', { logo: 'LOGO/new.png', logoWide: required.logoWide, svg: false }));
  });

  it('is disabled and enabled', () => {
    given(simulatorDecider, added)
      .when({ type: 'ChangeSimulator', data: { ...required, enabled: false } })
      .then(happened('SimulatorDisabled'));
    given(simulatorDecider, added, happened('SimulatorDisabled'))
      .when({ type: 'ChangeSimulator', data: { ...required, enabled: true } })
      .then(happened('SimulatorEnabled'));
  });

  it('cannot be changed before it exists', () => {
    given(simulatorDecider).when({ type: 'ChangeSimulator', data: required }).thenRejected('NOT_FOUND');
  });
});

describe('the body of a simulator', () => {
  const accepts = (fields: object): boolean => addSimulator.body.safeParse({ ...required, ...fields }).success;
  const acceptsChange = (fields: object): boolean => changeSimulator.body.safeParse({ ...required, ...fields }).success;

  it('has defaults on creation and none on replacement', () => {
    expect(addSimulator.body.parse(required)).to.deep.equal({ ...required, svg: false, enabled: true });
    expect(changeSimulator.body.parse(required)).to.deep.equal(required);
  });

  it('needs the names and logos, replacing too', () => {
    for (const body of [accepts, acceptsChange]) {
      for (const field of Object.keys(required)) {
        expect(body({ [field]: undefined }), `without ${field}`).to.equal(false);
        expect(body({ [field]: null }), `null as ${field}`).to.equal(false);
      }
      for (const field of ['svg', 'enabled']) expect(body({ [field]: null }), `null as ${field}`).to.equal(false);
    }
  });

  it('takes names and slugs within the bounds of the interface', () => {
    const lengths = (body: typeof accepts, field: string): readonly boolean[] =>
      [1, 2, 3, 20, 21, 120, 121].map((length) => body({ [field]: 'x'.repeat(length) }));
    for (const body of [accepts, acceptsChange]) {
      expect(lengths(body, 'displayName')).to.deep.equal([false, false, true, true, true, true, false]);
    }
    expect(lengths(accepts, 'slug')).to.deep.equal([false, true, true, true, false, false, false]);
    expect(lengths(acceptsChange, 'slug')).to.deep.equal([false, false, true, true, false, false, false]);
    expect(accepts({ slug: 'no blanks' })).to.equal(false);
  });
});
