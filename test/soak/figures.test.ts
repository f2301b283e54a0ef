import { expect } from 'chai';
import { verdictsOf, type Sample, type Service } from './figures.ts';
import { UsageError } from '../bench/options.ts';
import { readOptions } from './options.ts';

const SERVICE = { latencies: [10, 20], putOff: 0, refused: {} };

/** Samples of half an hour, one every six seconds, of a service in which only the stores grow. */
function samples(change: (sample: Sample) => Partial<Sample>): readonly Sample[] {
  return Array.from({ length: 301 }, (_, n) => {
    const laps = (n + 1) * 600;
    const at = n / 10;
    const collected = n % 5 === 0;
    const sample = { at, rssAnonMb: collected ? 100 : 150, descriptors: 40, laps, eventBytes: laps * 1_300 };
    const whole: Sample = { ...sample, modelBytes: n % 50 === 0 ? null : laps * 900 };
    return { ...whole, ...change(whole) };
  });
}

const broken = (change: (sample: Sample) => Partial<Sample>, service: Service = SERVICE) =>
  verdictsOf(samples(change), service)
    .filter(({ holds }) => !holds)
    .map(({ figure }) => figure);

describe('figures of the soak', () => {
  it('hold where nothing grows but the stores', () => {
    expect(broken(() => ({}))).to.deep.equal([]);
    expect(
      broken(({ at, rssAnonMb }) => ({ rssAnonMb: at < 4 ? rssAnonMb + 20 * at : rssAnonMb })),
      'warming up',
    ).to.deep.equal([]);
  });

  it('find what grows', () => {
    expect(broken(({ at, rssAnonMb }) => ({ rssAnonMb: rssAnonMb + 1.5 * at }))).to.deep.equal(['anonymous memory']);
    expect(broken(({ at }) => ({ descriptors: 40 + Math.floor(at) }))).to.deep.equal(['open descriptors']);
    expect(broken(({ at, laps }) => ({ eventBytes: laps * (1_300 + 20 * at) }))).to.deep.equal([
      'bytes of events per lap',
    ]);
    expect(broken(({ at, laps }) => ({ modelBytes: at < 15 ? laps * 900 : laps * 1_100 }))).to.deep.equal([
      'bytes of read models per lap',
    ]);
  });

  it('find what is late, put off or refused', () => {
    const lag = 'lag: a lap is shown after';
    const latencies = Array.from({ length: 101 }, (_, n) => (n > 98 ? 1_500 : 5));
    expect(broken(() => ({}), { ...SERVICE, latencies })).to.deep.equal([lag]);
    expect(broken(() => ({}), { ...SERVICE, latencies: latencies.slice(0, 100) })).to.deep.equal([]);
    expect(broken(() => ({}), { ...SERVICE, putOff: 1 })).to.deep.equal([lag]);
    expect(broken(() => ({}), { ...SERVICE, refused: { 503: 1 } })).to.deep.equal([lag]);
  });

  it('are taken over the time and the load that were asked for', () => {
    expect(readOptions([])).to.deep.equal({
      minutes: 30,
      laps: 100,
      readers: 100,
      'rebuild-every': 5,
      'kill-every': 1,
    });
    expect(readOptions(['--minutes', '0.5', '--kill-every', '2'])).to.include({ minutes: 0.5, 'kill-every': 2 });
    for (const wrong of [['--minutes', 'long'], ['--laps', '0'], ['--cars', '1'], ['--help']]) {
      expect(() => readOptions(wrong)).to.throw(UsageError, 'usage');
    }
  });
});
