import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { expect } from 'chai';
import { Client, expectProblem, expectStatus, idOf } from '../support/api/client.ts';
import { createRace } from '../support/api/leaderboard.ts';
import { LiveReader } from '../support/live/live-reader.ts';
import { answerCheckOf } from '../support/api/openapi.ts';
import { registerRig } from '../support/api/venue.ts';
import { upload } from '../support/api/uploads.ts';
import { useVenue } from '../support/api/with-service.ts';
import { lackOf, PROXIES, PROXY_PATH, startProxy, type RunningProxy } from '../support/processes/proxy.ts';
import { describeUnless } from '../support/unless.ts';

/** Bytes of an upload that nginx refuses by default: more than a MiB. */
const LARGE_UPLOAD = 5_000_000;

/** More jumps through a night than `CLIENT_REPLAYS` allows at a time. */
const JUMPS = 12;

for (const name of PROXIES) {
  for (const hasPath of [false, true]) {
    const place = hasPath ? `below ${PROXY_PATH}` : 'with a host of its own';
    describeUnless(lackOf(name), `The service behind ${name}, ${place}`, () => {
      const publicUrl = `http://timing.example.org${hasPath ? PROXY_PATH : ''}`;
      const api = useVenue({ PUBLIC_URL: `${publicUrl}/`, TRUSTED_PROXIES: '127.0.0.1', UNLIMITED_CLIENTS: 'none' });
      const basePath = hasPath ? PROXY_PATH : '';
      let proxy: RunningProxy;
      let admin: Client;
      let anyone: Client;

      before(async () => {
        proxy = await startProxy(name, hasPath, api.service.url);
        admin = new Client(proxy.url, answerCheckOf(api.service.document), api.admin.token);
        anyone = admin.as(null);
      });
      after(() => proxy.close());

      it('has its pages, and what they load', async () => {
        for (const path of ['/', '/admin', '/admin/cars', `/events/${api.venue.eventId}`]) {
          const page = expectStatus(await anyone.get(path), 200);
          const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
          // A script, styles, and what browsers install the page by.
          expect(loaded.length, path).to.be.at.least(4);
          for (const address of loaded) {
            expect(address).to.match(new RegExp(`^${basePath}/(?:assets/|manifest\\.webmanifest$)`));
            const asset = await fetch(new URL(address, proxy.url));
            expect(asset.status, address).to.equal(200);
            expect(asset.headers.get('content-type')).to.match(/javascript|css|svg|png|manifest/);
          }
        }
        const swagger = await fetch(`${proxy.url}/swagger-ui`);
        const text = await swagger.text();
        expect(text).to.include(`<base href="${basePath}/swagger-ui/">`);
        const scripts = [...text.matchAll(/src="(\.\/[^"]+)"/g)].map(([, address = '']) => address);
        expect(scripts).not.to.be.empty;
        for (const address of scripts) {
          expect((await fetch(new URL(`${basePath}/swagger-ui/${address}`, proxy.url))).status, address).to.equal(200);
        }
        const { servers } = expectStatus(await anyone.get('/api-docs'), 200).body;
        expect(servers).to.deep.include({ url: publicUrl });
      });

      it('creates, changes and reads, and says where things are', async () => {
        const body = { displayName: 'Marque', slug: `marque-${name}`, logo: 'BRAND/m.svg', country: 'DEU' };
        const created = expectStatus(await admin.post('/api/v1/car-brands', body), 201);
        const path = `/api/v1/car-brands/${idOf(created.body)}`;
        expect(created.header('location')).to.equal(basePath + path);
        const read = await fetch(new URL(created.header('location'), proxy.url));
        expect(read.status).to.equal(200);
        const etag = read.headers.get('etag') ?? '';
        expect((await anyone.get(path, { 'If-None-Match': etag })).status).to.equal(304);
        const changed = await admin.patch(path, { displayName: 'Other' }, { 'If-Match': etag });
        expect(expectStatus(changed, 200).body).to.include({ displayName: 'Other' });
        expectProblem(await admin.patch(path, { displayName: 'Third' }, { 'If-Match': etag }), 412);
        const stored = await admin.patch(path, { displayName: 'Fourth' }, { Prefer: 'respond-async' });
        expect(expectStatus(stored, 202).header('location')).to.equal(basePath + path);
      });

      it('answers HEAD, other methods, and what is not there, as without a proxy', async () => {
        const head = await anyone.send('HEAD', '/api/v1/laps/paged');
        expect(head.status).to.equal(200);
        expect(head.text).to.equal('');
        const wrong = await anyone.send('DELETE', '/api/v1/laps/paged');
        expect(wrong.status).to.equal(405);
        expect(wrong.header('allow')).to.include('GET, HEAD');
        expectProblem(await anyone.get('/api/v1/laps/00000000-0000-7000-8000-000000000000'), 404);
        expect(expectStatus(await anyone.get('/api/v1/laps/paged'), 200).headers.has('ratelimit')).to.equal(true);
      });

      it('takes uploads of more than a MiB, and sends parts of them', async () => {
        const key = `LOGO/${name}.svg`;
        const content = `<svg>${'x'.repeat(LARGE_UPLOAD)}</svg>`;
        expectStatus(await upload(admin, key, content), 201);
        const part = await anyone.get(`/cdn/${key}`, { Range: 'bytes=5-8' });
        expect([part.status, part.text]).to.deep.equal([206, 'xxxx']);
        expect((await anyone.get(`/cdn/${key}`)).bytes).to.have.length(content.length);
      });

      it('finds a rig by a hardwareId with slashes and spaces', async () => {
        const hardwareId = `rig/${name} 1%2F${hasPath ? 'a' : 'b'}`;
        const manager = admin.as(api.venue.manager.token);
        await registerRig(manager, api.venue.licenseId, hardwareId);
        const found = await admin.get(`/api/v1/rigs/hardwareId/${encodeURIComponent(hardwareId)}`);
        expect(expectStatus(found, 200).body).to.include({ hardwareId });
      });

      it('shows live boards as they change', async () => {
        const race = await createRace(api.admin, api.venue);
        await race.drive(api.venue.participantId, [30_000, 30_000]);
        const reader = await LiveReader.open(proxy.url, race.eventId);
        try {
          expect(await reader.change()).to.have.length(1);
          await race.drive(await race.enter('Niki', 'Lauda'), [29_000, 30_500]);
          expect((await reader.change())?.map(({ event }) => event)).to.deep.equal(['lap', 'rows', 'heads']);
        } finally {
          reader.close();
        }
      });

      it('replays to one who jumps through a night', async () => {
        const race = await createRace(api.admin, api.venue);
        await race.drive(api.venue.participantId, [30_000, 30_000]);
        const from = new Date(Date.now() - 60_000).toISOString();
        for (let jump = 0; jump < JUMPS; jump += 1) {
          const address = `${proxy.url}/api/v1/events/${race.eventId}/live?from=${from}`;
          const request = get(address, { agent: false });
          const [response] = (await once(request, 'response')) as [IncomingMessage];
          expect(response, `jump ${jump}`).to.have.property('statusCode', 200);
          request.destroy();
        }
      });
    });
  }
}
