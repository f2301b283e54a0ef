import { expect } from 'chai';
import {
  CAR_CLASSES,
  CARS,
  CLASS_PACE,
  HOTLAP_EVENT,
  LAYOUTS,
  MAKERS,
  PACE,
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

const URL_SAFE = /^[A-Za-z0-9._~-]+$/;
const THIS_YEAR = 2026;
const LAPS = 5_000;

function expectLength(text: string, fewest: number, most: number): void {
  expect(text.length, text).to.be.within(fewest, most);
}

function expectSlug(slug: string, most: number): void {
  expectLength(slug, 2, most);
  expect(slug).to.match(URL_SAFE);
}

function expectDistinct(values: readonly string[]): void {
  expect(new Set(values).size, values.join(' ')).to.equal(values.length);
}

function expectAllIn(values: readonly string[], known: readonly string[]): void {
  expect(known).to.include.members([...values]);
  expectDistinct(values);
}

const slugsOf = (items: readonly { readonly slug: string }[]): string[] => items.map(({ slug }) => slug);
const carKeys = CARS.map(({ key }) => key);

describe('demo data: tracks and layouts', () => {
  it('has at least twelve circuits, each with a layout', () => {
    expect(TRACKS.length).to.be.at.least(12);
    expect(new Set(LAYOUTS.map(({ track }) => track))).to.deep.equal(new Set(slugsOf(TRACKS)));
  });

  it('keeps within the bounds of docs/interface.md', () => {
    expectDistinct(slugsOf(TRACKS));
    for (const track of TRACKS) {
      expectSlug(track.slug, 20);
      expectLength(track.displayName, 3, 120);
      expectLength(track.location, 1, 120);
      expect(track.country).to.match(/^[A-Z]{3}$/);
    }
    expectDistinct(slugsOf(LAYOUTS));
    for (const layout of LAYOUTS) {
      expectSlug(layout.slug, 40);
      expectLength(layout.displayName, 3, 120);
    }
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
});

describe('demo data: cars and simulators', () => {
  it('has ten makers, six classes and 24 cars of these, within bounds', () => {
    expect([MAKERS.length >= 10, CAR_CLASSES.length >= 6, CARS.length >= 24]).to.deep.equal([true, true, true]);
    expectDistinct(slugsOf(MAKERS));
    for (const { slug, displayName, country } of MAKERS) {
      expectSlug(slug, 20);
      expectLength(displayName, 3, 120);
      expect(country).to.match(/^[A-Z]{3}$/);
    }
    for (const { shortName, displayName } of CAR_CLASSES) {
      expectLength(shortName, 2, 20);
      expectLength(displayName, 2, 120);
    }
    expectDistinct(carKeys);
    for (const { maker, modelName, carClass } of CARS) {
      expect(slugsOf(MAKERS)).to.include(maker);
      expect(CAR_CLASSES.map(({ shortName }) => shortName)).to.include(carClass);
      expectLength(modelName, 1, 120);
    }
  });

  it('has a car of every maker and every class', () => {
    for (const { slug } of MAKERS)
      expect(
        CARS.some(({ maker }) => maker === slug),
        slug,
      ).to.equal(true);
    for (const { shortName } of CAR_CLASSES) {
      expect(
        CARS.some(({ carClass }) => carClass === shortName),
        shortName,
      ).to.equal(true);
    }
  });

  it('maps layouts and cars that exist, once each', () => {
    expect(SIMULATORS).to.have.length(3);
    for (const { slug, displayName, layouts, cars } of SIMULATORS) {
      expectSlug(slug, 20);
      expectLength(displayName, 3, 120);
      expectAllIn(
        layouts.map(({ layout }) => layout),
        slugsOf(LAYOUTS),
      );
      expectAllIn(
        cars.map(({ car }) => car),
        carKeys,
      );
      const identifiers = [...layouts, ...cars].map(({ simulatorIdentifier }) => simulatorIdentifier);
      for (const identifier of identifiers) expectLength(identifier, 1, 255);
      expectDistinct(identifiers);
    }
  });
});

describe('demo data: venue', () => {
  it('has four rigs, 40 competitors and eight sponsors, within bounds', () => {
    expect([RIGS.length, PEOPLE.length, SPONSORS.length]).to.deep.equal([4, 40, 8]);
    expectDistinct(RIGS.map(({ hardwareId }) => hardwareId));
    for (const { hardwareId, name, description } of RIGS) {
      expectLength(hardwareId, 1, 255);
      expectLength(name, 2, 120);
      expectLength(description, 0, 255);
    }
    expectDistinct(PEOPLE.map(({ email }) => email));
    for (const { firstName, lastName, email, phoneNumber } of PEOPLE) {
      expect(email).to.match(/^[a-z.-]+@example\.(com|org|net)$/);
      for (const text of [firstName, lastName, email, phoneNumber]) expectLength(text, 1, 120);
      expectLength(`${firstName} ${lastName}`, 3, 120);
      expectLength(`demo-${email}`, 3, 120);
    }
    for (const { name, websiteUrl } of SPONSORS) {
      expectLength(name, 2, 120);
      expect(new URL(websiteUrl).protocol).to.equal('https:');
    }
  });

  it('has three events whose references are mapped in their simulator', () => {
    expect(RACING_EVENTS).to.have.length(3);
    for (const racingEvent of RACING_EVENTS) {
      expectSlug(racingEvent.slug, 25);
      expectLength(racingEvent.name, 2, 120);
      expectLength(racingEvent.description, 0, 255);
      const simulator = SIMULATORS.find(({ slug }) => slug === racingEvent.simulator);
      expectAllIn(racingEvent.cars, simulator?.cars.map(({ car }) => car) ?? []);
      expectAllIn(racingEvent.layouts, simulator?.layouts.map(({ layout }) => layout) ?? []);
      expectAllIn(
        racingEvent.rigs,
        RIGS.map(({ hardwareId }) => hardwareId),
      );
      expectAllIn(
        racingEvent.sponsors,
        SPONSORS.map(({ key }) => key),
      );
      for (const list of [racingEvent.cars, racingEvent.layouts, racingEvent.rigs]) expect(list).not.to.be.empty;
    }
    expect(RACING_EVENTS.map(({ mode, enabled }) => `${mode} ${String(enabled)}`)).to.deep.equal([
      'HOTLAP true',
      'MULTIPLAYER_RACE true',
      'PRACTICE false',
    ]);
  });

  it('uses every type of sign-up field, with keys that are unique in their event', () => {
    const types = ['TEXT', 'TEXT_AREA', 'EMAIL', 'NUMBER', 'SELECT', 'CHECKBOX', 'CONSENT', 'DATE'];
    expect(SIGNUP_FIELDS.map(({ type }) => type)).to.include.members(types);
    expectDistinct(SIGNUP_FIELDS.map(({ event, fieldKey }) => `${event} ${fieldKey}`));
    for (const { event, fieldKey, type, optionsJson, i18nJson } of SIGNUP_FIELDS) {
      expect(slugsOf(RACING_EVENTS)).to.include(event);
      expectLength(fieldKey, 1, 120);
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
      expectLength(key, 3, 255);
      expectLength(svg, 50, 4_096);
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

  it('have three whole sectors that add up to the lap', () => {
    expect(laps).to.have.length(LAPS);
    for (const { sectors, totalTime, number } of laps) {
      expect(
        sectors.reduce((sum, sector) => sum + sector, 0),
        number,
      ).to.equal(totalTime);
      expect(
        sectors.every((sector) => Number.isInteger(sector) && sector > 0),
        number,
      ).to.equal(true);
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

  it('know the pace of each layout and class of the hotlap event', () => {
    const hotlap = RACING_EVENTS.filter(({ slug }) => slug === HOTLAP_EVENT);
    const cars = new Set(hotlap.flatMap((racingEvent) => racingEvent.cars));
    expect(PACE.map(({ layout }) => layout)).to.have.members(hotlap.flatMap(({ layouts }) => layouts));
    for (const { sectors } of PACE) expect(sectors[0] + sectors[1] + sectors[2]).to.be.closeTo(1, 1e-9);
    const classes = CLASS_PACE.map(({ carClass }) => carClass);
    for (const { carClass } of CARS.filter(({ key }) => cars.has(key))) expect(classes).to.include(carClass);
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
