import { expect } from 'chai';
import { EXPORT_VIEWS } from '../../src/service/exports/views.ts';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import { expectProblem, expectStatus, idOf, textOf } from '../support/api/client.ts';
import { createRace, shownBoard } from '../support/api/leaderboard.ts';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { byId } from '../support/seasons/lists.ts';
import { BEST_LAPS, bestLapOf, downloaded, exportTable } from '../support/seasons/tables.ts';

const EXPORTS = '/api/v1/operations/exports';

describe('API: lists as Parquet', () => {
  const api = useVenue();

  it('have the rows and columns of the command, personal data included', async () => {
    const use = ({ lastSeenAt: _, ...row }: JsonObject): JsonObject => row;
    for (const { name } of EXPORT_VIEWS) {
      const { parquet } = await exportTable(name, api.service);
      const rows = await downloaded(api.admin, name);
      expect(rows.map(use), name).to.deep.equal(parquet.map(use));
    }
    const [person = {}] = await downloaded(api.admin, 'participants');
    expect(person.email).to.match(/@/);
    const [nameless = {}] = await downloaded(api.admin, 'participants', '?names=false');
    expect(nameless.id).to.equal(person.id);
    expect(nameless).not.to.have.any.keys('email', 'firstName', 'extraFieldsJson', 'licenseDisplayName');
  });

  it('are files with a name and an ETag, for HEAD too', async () => {
    const file = expectStatus(await api.admin.get(`${EXPORTS}/laps`), 200);
    expect(file.header('content-type')).to.equal('application/vnd.apache.parquet');
    expect(file.header('content-disposition')).to.equal('attachment; filename="laps.parquet"');
    expect(file.text.slice(0, 4) + file.text.slice(-4)).to.equal('PAR1PAR1');
    const head = expectStatus(await api.admin.send('HEAD', `${EXPORTS}/laps`), 200);
    for (const name of ['content-type', 'content-disposition', 'etag'])
      expect(head.header(name)).to.equal(file.header(name));
    expect(head.bytes).to.have.length(0);
    const known = { 'If-None-Match': file.header('etag') };
    expectStatus(await api.admin.get(`${EXPORTS}/laps`, known), 304);
    await api.admin.create('/api/v1/laps', bodies.lap(api.venue));
    expectStatus(await api.admin.get(`${EXPORTS}/laps`, known), 200);
  });

  it('are refused where there is no such list, and for all but ADMIN', async () => {
    for (const name of ['licenses', 'api-keys', 'lapses'])
      expectProblem(await api.admin.get(`${EXPORTS}/${name}`), 400);
    expectProblem(await api.anyone.get(`${EXPORTS}/laps`), 401);
  });

  it('have the best laps that boards show, by the shortest time of event or layout', async () => {
    const { admin, venue } = api;
    const layouts = [venue.trackLayoutId];
    for (const minLapTime of [null, 50_000]) {
      layouts.push(
        idOf(await admin.create('/api/v1/track-layouts', { ...bodies.trackLayout(venue.trackId), minLapTime })),
      );
    }
    const events: string[] = [];
    for (const minLapTime of [null, 40_000, 1]) {
      const race = await createRace(admin, venue);
      events.push(race.eventId);
      await admin.change(`/api/v1/events/${race.eventId}`, { minLapTime });
      const [ada, niki, none] = [
        await race.enter('Ada', 'L'),
        await race.enter('Niki', 'L'),
        await race.enter('No', 'L'),
      ];
      for (const trackId of layouts) {
        for (const time of [0, 30_000, 45_000, 45_000, 55_000]) await race.drive(ada, [time], { trackId });
        await race.drive(niki, [20_000], { trackId, valid: false });
        const struck = await race.drive(niki, [52_000], { trackId });
        await race.drive(niki, [56_000, 1_000], { trackId });
        await race.change(struck, { valid: false });
        await race.change(await race.drive(none, [57_000], { trackId }), { valid: false });
      }
    }
    const expected: JsonObject[] = [];
    for (const eventId of events) {
      for (const trackLayoutId of layouts) {
        const path = `/api/v1/events/${eventId}/leaderboard?trackLayoutId=${trackLayoutId}`;
        const { rows, head } = shownBoard(await api.anyone.read(path));
        expected.push(
          ...rows.map((row) => bestLapOf(row, { eventId, eventName: head.eventName ?? null, trackLayoutId })),
        );
      }
    }
    const ofEvents = (row: JsonObject): boolean => events.includes(textOf(row, 'eventId'));
    const tables = [await downloaded(admin, BEST_LAPS), (await exportTable(BEST_LAPS, api.service)).parquet];
    for (const rows of tables) {
      expect(byId(rows.filter(ofEvents).map(({ position: _, deleted: __, ...row }) => row))).to.deep.equal(
        byId(expected),
      );
    }
    expect(new Set(expected.map(({ totalTime }) => totalTime))).to.deep.equal(
      new Set([30_000, 45_000, 55_000, 57_000]),
    );
  });
});
