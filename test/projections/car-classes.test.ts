import { expect } from 'chai';
import { carClassEvents } from '../../commands/car-classes.ts';
import { carClasses, carClassesProjection } from '../../projections/car-classes.ts';
import { itFollows } from '../support/event-store/following.ts';
import { givenHistory, minute } from '../support/kernel/projecting.ts';

const gt3 = { displayName: 'Grand Touring 3', shortName: 'GT3', logo: 'CLASS/gt3.png', svg: false, enabled: true };
const added = { stream: 'carClass-1', type: 'CarClassAdded', data: gt3 };

describe('car classes projection', () => {
  it('shows a new car class', async () => {
    const { thenDocument } = await givenHistory([carClassesProjection], added);
    expect(await thenDocument(carClasses, '1')).to.deep.equal({
      id: '1',
      ...gt3,
      createdAt: minute(0),
      updatedAt: minute(0),
      _created: 1,
      _position: 1,
      _revision: 0,
    });
  });

  itFollows({
    projections: [carClassesProjection],
    model: carClasses,
    born: [added],
    events: carClassEvents,
    created: 'CarClassAdded',
    changes: {
      CarClassRenamed: { data: { displayName: 'FIA GT3' }, shows: { displayName: 'FIA GT3' } },
      CarClassShortNameChanged: { data: { shortName: 'G3' }, shows: { shortName: 'G3' } },
      CarClassLogoChanged: { data: { logo: 'CLASS/g.svg', svg: true }, shows: { logo: 'CLASS/g.svg', svg: true } },
      CarClassDisabled: { data: {}, shows: { enabled: false } },
      CarClassEnabled: { data: {}, shows: { enabled: true } },
    },
  });
});
