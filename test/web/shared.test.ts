import { expect } from 'chai';
import { inLanguage, languageFor } from '../../src/clients/web/shared/language.ts';
import {
  duration,
  gap,
  lapTime,
  numberIn,
  readTime,
  readTimes,
  zoneFor,
  type TimeFault,
} from '../../src/clients/web/shared/times.ts';

describe('Pages: languages', () => {
  it('are the one in the address, else the first of the reader’s that we have, else English', () => {
    expect(languageFor('de', ['en-GB'])).to.equal('de');
    expect(languageFor('DE-at', [])).to.equal('de');
    expect(languageFor(null, ['fr-FR', 'de-CH', 'en'])).to.equal('de');
    expect(languageFor('xx', ['de'])).to.equal('de');
    expect(languageFor('<script>', [])).to.equal('en');
  });

  it('fill values into texts, and leave missing ones visible', () => {
    const text = { en: '{n} of {total}', de: '{n} von {total}' };
    expect(inLanguage('de', text, { n: 2, total: 3 })).to.equal('2 von 3');
    expect(inLanguage('en', text, { n: 2 })).to.equal('2 of {total}');
  });
});

describe('Pages: times', () => {
  it('are rounded before they are split into units', () => {
    const shown = [41, 4_680, 59_960, 119_700, 200_000, 3_599_700, 7_500_000].map(duration);
    expect(shown).to.deep.equal(['41 ms', '4.7 s', '1 min 0 s', '2 min 0 s', '3 min 20 s', '1 h 0 min', '2 h 5 min']);
  });

  it('are read as people type them: a number is seconds, unless ms is written', () => {
    const times = {
      '2:17.450': 137_450,
      '2:17,450': 137_450,
      ' 2:17.4 ': 137_400,
      '2:17': 137_000,
      '02:07.050': 127_050,
      '0:00.001': 1,
      '1:02:03.004': 3_723_004,
      '10:00:00': 36_000_000,
      '119:59.999': 7_199_999,
      '75': 75_000,
      '75.5': 75_500,
      '107.6': 107_600,
      '107,6': 107_600,
      '58.12': 58_120,
      '0': 0,
      '0.001': 1,
      '75 s': 75_000,
      '75,5s': 75_500,
      '137450 ms': 137_450,
      '137450ms': 137_450,
      '137450 MS': 137_450,
    };
    for (const [text, ms] of Object.entries(times)) expect(readTime(text), text).to.deep.equal({ ms });
    for (const ms of [1, 59_999, 60_000, 138_467, 3_723_004]) expect(readTime(lapTime(ms))).to.deep.equal({ ms });
  });

  it('say why a text is none', () => {
    const faults: Readonly<Record<TimeFault, readonly string[]>> = {
      seconds: ['1:75.000', '1:60', '2:177.450', '1:02:60', '1:007'],
      minutes: ['1:75:00.000', '1:60:00', '0:61:00.5'],
      decimals: ['2:17.4501', '75,5000', '0.0001 s'],
      form: [
        ...['', ' ', '2:', ':17', 'two', '1:2:3:4', '1.2.3', '1,2,3', '75.', '.5', '-1', '+5', '0x4B', '1e3', '1_000'],
        ...[
          'Infinity',
          'NaN',
          '７５',
          '٧٥',
          '75 ms ms',
          '1:15 ms',
          '75.5 ms',
          '1:15 s',
          '75 min',
          '1:-5',
          '1: 15',
          '7 5',
        ],
        ...['9'.repeat(30), '1:15.000\u0000'],
      ],
    };
    for (const fault of Object.keys(faults) as TimeFault[]) {
      for (const text of faults[fault]) expect(readTime(text), text).to.deep.equal({ fault });
    }
  });

  it('are read as lists: a comma between digits is a decimal sign, unless each time has its own', () => {
    const lists: Readonly<Record<string, readonly number[]>> = {
      '58.120, 1:19.330': [58_120, 79_330],
      '58.12 1:19.330\n40': [58_120, 79_330, 40_000],
      '58,12 1:19,330': [58_120, 79_330],
      '58,12; 1:19,330;40': [58_120, 79_330, 40_000],
      '30, 40, 50': [30_000, 40_000, 50_000],
      '30.512,41.003,36.998': [30_512, 41_003, 36_998],
      '30512 ms 41003 ms': [30_512, 41_003],
      '30512ms,41003ms, 36998 ms,': [30_512, 41_003, 36_998],
      '58,120': [58_120],
      ' ': [],
    };
    for (const [text, times] of Object.entries(lists))
      expect(readTimes(text), text).to.deep.equal(times.map((ms) => ({ ms })));
    // Three times, or one and a half: nobody knows.
    for (const text of ['30,40,50', '30000,30000,40000', '30.5,40', '30.5,40,6'])
      expect(readTimes(text), text).to.deep.include({ fault: 'form' });
  });

  it('are no numbers but plain decimals', () => {
    const numbers = { '12': 12, ' -1 ': -1, '1.5': 1.5, '1,5': 1.5, '9007199254740991': Number.MAX_SAFE_INTEGER };
    for (const [text, number] of Object.entries(numbers)) expect(numberIn(text), text).to.equal(number);
    for (const text of ['', '+5', '0x4B', '0b1', '1e3', 'Infinity', '１２', '1 000', '1.000.000', '9007199254740993'])
      expect(numberIn(text), text).to.equal(undefined);
  });

  it('show laps as racing people write them', () => {
    expect(lapTime(138_467)).to.equal('2:18.467');
    expect(lapTime(60_000)).to.equal('1:00.000');
    expect(lapTime(59_999)).to.equal('59.999');
    expect(lapTime(1)).to.equal('0.001');
    expect(lapTime(3_723_004)).to.equal('1:02:03.004');
    expect(lapTime(0)).to.equal('–');
    expect(lapTime(null)).to.equal('–');
  });

  it('show gaps with a plus, and none for the leader', () => {
    expect(gap(123)).to.equal('+0.123');
    expect(gap(0)).to.equal('+0.000');
    expect(gap(61_002)).to.equal('+1:01.002');
    expect(gap(null)).to.equal('');
  });

  it('are in the zone that the address names, if it exists', () => {
    expect(zoneFor('America/New_York')).to.equal('America/New_York');
    expect(zoneFor('Mars/Olympus')).to.equal(undefined);
    expect(zoneFor(null)).to.equal(undefined);
  });
});
