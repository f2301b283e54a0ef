import { expect } from 'chai';
import { within } from '../../src/service/kernel/ports/system.ts';
import { manualClock } from '../support/kernel/manual-clock.ts';

describe('work within a time', () => {
  it('has the result of the work, null after the time, and the error of the work', async () => {
    const clock = manualClock();
    expect(await within(clock, 10, Promise.resolve('done'))).to.equal('done');
    const never = within(clock, 10, new Promise<string>(() => undefined));
    clock.pass(10);
    expect(await never).to.equal(null);
    const failure = new Error('broken');
    expect(await within(clock, 10, Promise.reject(failure)).catch((error: unknown) => error)).to.equal(failure);
  });
});
