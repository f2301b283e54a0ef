import { expect } from 'chai';
import {
  CAR_CLASSES,
  CARS,
  HOTLAP_EVENT,
  LAYOUTS,
  MAKERS,
  PEOPLE,
  RACING_EVENTS,
  RIGS,
  SIGNUP_FIELDS,
  SIMULATORS,
  SPONSORS,
  TRACKS,
} from '../../src/clients/demo/data.ts';
import { planLaps } from '../../src/clients/demo/lap-plan.ts';
import { allAssets, PICTURE } from '../../src/clients/demo/pictures.ts';

const THIS_YEAR = 2026;
const LAPS = 5_000;

function expectDistinct(values: readonly string[]): void {
  expect(new Set(values).size, values.join(' ')).to.equal(values.length);
}

const slugsOf = (items: readonly { readonly slug: string }[]): string[] => items.map(({ slug }) => slug);

// The service refuses what is out of bounds, or refers to nothing: `test/cli/demo.test.ts`.
describe('demo data', () => {
  it('has each key once', () => {
    for (const named of [TRACKS, LAYOUTS, MAKERS, SIMULATORS, RACING_EVENTS]) expectDistinct(slugsOf(named));
    expectDistinct(CARS.map(({ key }) => key));
    expectDistinct(RIGS.map(({ hardwareId }) => hardwareId));
    expectDistinct(PEOPLE.map(({ email }) => email));
    expectDistinct(SIGNUP_FIELDS.map(({ event, fieldKey }) => `${event} ${fieldKey}`));
  });

  it('has a layout of each circuit, and a car of every maker and every class', () => {
    const classes = CAR_CLASSES.map(({ shortName }) => shortName);
    expect(new Set(LAYOUTS.map(({ track }) => track))).to.deep.equal(new Set(slugsOf(TRACKS)));
    expect(new Set(CARS.map(({ maker }) => maker))).to.deep.equal(new Set(slugsOf(MAKERS)));
    expect(new Set(CARS.map(({ carClass }) => carClass))).to.deep.equal(new Set(classes));
  });

  it('names every corner or marks it with a hyphen', () => {
    for (const { slug, cornerNames } of LAYOUTS) {
      for (const name of cornerNames) expect(name.trim(), slug).to.equal(name).and.not.equal('');
      expectDistinct(cornerNames.filter((name) => name !== '-'));
    }
  });

  it('has lengths and years that a circuit can have', () => {
    for (const { slug, length, firstUsage, lastUsage } of LAYOUTS) {
      expect(length, slug).to.be.within(1_000, 30_000);
      expect(firstUsage, slug).to.be.within(1_900, THIS_YEAR);
      if (lastUsage !== -1) expect(lastUsage, slug).to.be.within(firstUsage, THIS_YEAR);
    }
  });

  it('has as many of each as a demo needs, and competitors with addresses that belong to nobody', () => {
    const isEnough = [TRACKS.length >= 12, MAKERS.length >= 10, CAR_CLASSES.length >= 6, CARS.length >= 24];
    expect(isEnough).to.deep.equal([true, true, true, true]);
    const counts = [SIMULATORS, RIGS, PEOPLE, SPONSORS, RACING_EVENTS].map(({ length }) => length);
    expect(counts).to.deep.equal([3, 4, 40, 8, 3]);
    for (const { email } of PEOPLE) expect(email).to.match(/^[a-z.-]+@example\.(com|org|net)$/);
    for (const { websiteUrl } of SPONSORS) expect(new URL(websiteUrl).protocol).to.equal('https:');
  });

  it('uses every type of sign-up field', () => {
    const types = ['TEXT', 'TEXT_AREA', 'EMAIL', 'NUMBER', 'SELECT', 'CHECKBOX', 'CONSENT', 'DATE'];
    expect(SIGNUP_FIELDS.map(({ type }) => type)).to.include.members(types);
    for (const { fieldKey, type, optionsJson, i18nJson } of SIGNUP_FIELDS) {
      expect(optionsJson !== undefined, fieldKey).to.equal(type === 'SELECT');
      expect(i18nJson, fieldKey).to.include.keys('de', 'en');
    }
  });

  it('uploads each picture that the data refer to, small and under a key of its own', () => {
    const keys = allAssets().map(({ key }) => key);
    expectDistinct(keys);
    expect(keys).to.include.members([
      ...MAKERS.map(({ slug }) => PICTURE.maker(slug)),
      ...TRACKS.map(({ slug }) => PICTURE.track(slug)),
      ...SPONSORS.map(({ key }) => PICTURE.sponsor(key)),
      ...LAYOUTS.map(({ slug }) => PICTURE.layout(slug)),
    ]);
    for (const { key, svg } of allAssets()) {
      expect(key).to.match(/^(BRAND|CLASS|COUNTRY|LOGO|TRACK)\/[A-Za-z0-9._-]+$/);
      expect(svg, key).to.have.length.within(50, 4_096);
    }
  });
});

describe('demo data: laps', () => {
  const laps = planLaps(LAPS);

  it('are the same each time, and fewer are the beginning of more', () => {
    expect(planLaps(LAPS)).to.deep.equal(laps);
    expect(planLaps(123)).to.deep.equal(laps.slice(0, 123));
    expectDistinct(laps.map(({ number }) => number));
  });

  it('have three integer sectors that add up to the lap', () => {
    expect(laps).to.have.length(LAPS);
    for (const { sectors, totalTime, number } of laps) {
      const sum = sectors.reduce((total, sector) => total + sector, 0);
      expect(sum, number).to.equal(totalTime);
      for (const sector of sectors) expect(Number.isInteger(sector) && sector > 0, number).to.equal(true);
    }
  });

  it('belong to the hotlap event, its rigs, cars and layouts, and to every competitor', () => {
    const hotlap = RACING_EVENTS.filter(({ slug }) => slug === HOTLAP_EVENT);
    const used = (part: (lap: (typeof laps)[number]) => string): string[] => [...new Set(laps.map(part))];
    expect(used(({ rig }) => rig)).to.have.members(hotlap.flatMap(({ rigs }) => rigs));
    expect(used(({ car }) => car)).to.have.members(hotlap.flatMap(({ cars }) => cars));
    expect(used(({ layout }) => layout)).to.have.members(hotlap.flatMap(({ layouts }) => layouts));
    expect(used(({ person }) => person)).to.have.members(PEOPLE.map(({ email }) => email));
  });

  it('are driven at speeds that such cars reach, about four in a hundred invalid', () => {
    const lengths = new Map(LAYOUTS.map(({ slug, length }) => [slug, length]));
    for (const { layout, totalTime, number } of laps) {
      const kilometresPerHour = ((lengths.get(layout) ?? 0) / totalTime) * 3_600;
      expect(kilometresPerHour, number).to.be.within(110, 200);
    }
    expect(laps.filter(({ valid }) => !valid).length / LAPS).to.be.within(0.03, 0.05);
  });

  it('are faster in GT3 than in GT4, and by experts than by beginners', () => {
    const atSpa = laps.filter(({ layout }) => layout === 'spa-grand-prix');
    const mean = (keep: (lap: (typeof laps)[number]) => boolean): number => {
      const times = atSpa.filter(keep).map(({ totalTime }) => totalTime);
      return times.reduce((sum, time) => sum + time, 0) / times.length;
    };
    const byClass = (wanted: string): number =>
      mean(({ car }) => CARS.find(({ key }) => key === car)?.carClass === wanted);
    const byLevel = (wanted: string): number =>
      mean(({ person }) => PEOPLE.find(({ email }) => email === person)?.level === wanted);
    expect(byClass('GT3')).to.be.lessThan(byClass('GT4'));
    expect(byLevel('expert')).to.be.lessThan(byLevel('beginner'));
  });
});
