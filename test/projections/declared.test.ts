import { expect } from 'chai';
import { RESOURCES } from '../../src/service/resources/index.ts';
import { builtInProjections } from '../../src/service/resources/built-in.ts';

describe('the built-in read models', () => {
  for (const { path, query } of RESOURCES) {
    it(`are what ${path} shows, too`, () => {
      expect(builtInProjections.filter(({ model }) => model === query.model)).to.have.length(1);
    });
  }
});
