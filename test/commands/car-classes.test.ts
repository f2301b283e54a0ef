import { expect } from 'chai';
import { addCarClass, carClassDecider, changeCarClass } from '../../commands/car-classes.ts';
import { bodies } from '../support/api/bodies.ts';
import { given, happened } from '../support/kernel/given.ts';

const gt3 = { displayName: 'Grand Touring 3', shortName: 'GT3', logo: 'CLASS/gt3.svg', svg: true, enabled: true };
const added = happened('CarClassAdded', gt3);

describe('car class', () => {
  it('is added', () => {
    given(carClassDecider).when({ type: 'AddCarClass', data: gt3 }).then(added);
  });

  it('says what changed, and only that', () => {
    given(carClassDecider, added)
      .when({ type: 'ChangeCarClass', data: { displayName: 'FIA GT3', shortName: 'G3', svg: false, enabled: true } })
      .then(
        happened('CarClassRenamed', { displayName: 'FIA GT3' }),
        happened('CarClassShortNameChanged', { shortName: 'G3' }),
        happened('CarClassLogoChanged', { logo: gt3.logo, svg: false }),
      );
  });

  it('records nothing when nothing changes', () => {
    given(carClassDecider, added).when({ type: 'ChangeCarClass', data: gt3 }).thenNothing();
    given(carClassDecider, added).when({ type: 'ChangeCarClass', data: {} }).thenNothing();
  });

  it('is disabled once, and enabled again', () => {
    const disabled = happened('CarClassDisabled');
    given(carClassDecider, added)
      .when({ type: 'ChangeCarClass', data: { enabled: false } })
      .then(disabled);
    given(carClassDecider, added, disabled)
      .when({ type: 'ChangeCarClass', data: { enabled: false } })
      .thenNothing();
    given(carClassDecider, added, disabled)
      .when({ type: 'ChangeCarClass', data: { enabled: true } })
      .then(happened('CarClassEnabled'));
  });

  it('cannot be changed before it exists', () => {
    given(carClassDecider)
      .when({ type: 'ChangeCarClass', data: { enabled: false } })
      .thenRejected('NOT_FOUND');
  });
});

describe('car class bodies', () => {
  const { takes, refuses, takesLengths, needsOnly } = bodies(addCarClass, changeCarClass, gt3);

  it('leave out what has a default', () => {
    const { displayName, shortName, logo } = gt3;
    expect(addCarClass.body.parse({ displayName, shortName, logo, colour: 'red' })).to.deep.equal({
      displayName,
      shortName,
      logo,
      svg: false,
      enabled: true,
    });
    needsOnly('displayName', 'shortName', 'logo');
  });

  it('hold every field to its bounds', () => {
    takesLengths('displayName', 2, 120);
    takesLengths('shortName', 2, 20);
    takesLengths('logo', 0, 255);
    takes('displayName', '🏎🏎');
    refuses('displayName', '   ', '🏎', null, 12);
    refuses('shortName', '   ', null);
    refuses('logo', null);
    refuses('svg', null, 'true', 1);
    refuses('enabled', null, 'true', 1);
  });
});
