import { expect } from 'chai';
import { inLanguage, languageFor } from '../../src/clients/web/shared/language.ts';
import { duration, gap, lapTime, timeIn, zoneFor } from '../../src/clients/web/shared/times.ts';

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

  it('are read as racing people write them, or as milliseconds', () => {
    const read = {
      '2:17.450': 137_450,
      '2:17,450': 137_450,
      '58.12': 58_120,
      '1:02:03.004': 3_723_004,
      '2:17': 137_000,
    };
    for (const [text, ms] of Object.entries({ ...read, ' 137450 ': 137_450, '0': 0, '-1': -1, '1e3': 1_000 }))
      expect(timeIn(text), text).to.equal(ms);
    for (const text of ['', ' ', '2:', ':17', '2:177.450', '2:17.4501', 'two', '1:2:3:4'])
      expect(timeIn(text), text).to.equal(undefined);
    for (const ms of [1, 59_999, 60_000, 138_467, 3_723_004]) expect(timeIn(lapTime(ms))).to.equal(ms);
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
