import * as all from '../../projections/all.ts';
import { builtInProjections } from '../../src/service/resources/read-models.ts';
import { sameSet } from '../support/same-set.ts';

describe('the built-in read models', () => {
  it('are those that analysts may import, all of them', () => {
    const exported = Object.values(all).flatMap((each: object) =>
      'model' in each && 'on' in each ? [(each as (typeof builtInProjections)[number]).model.collection] : [],
    );
    sameSet(
      exported,
      builtInProjections.map(({ model }) => model.collection),
      'projections/all.ts',
    );
  });
});
