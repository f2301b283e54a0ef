import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { CERTIFICATE, KEY } from '../support/certificate.ts';
import { toy, useToys } from '../support/api/http.ts';

describe('TLS', () => {
  const toys = useToys([toy('GET', '/api/v1/toys')], { tls: { cert: CERTIFICATE, key: KEY } });

  it('serves https with the certificate given', async () => {
    const options = { ca: CERTIFICATE, agent: false };
    const [answer] = (await once(get(`${toys.url}/api/v1/toys`, options), 'response')) as [IncomingMessage];
    expect([answer.statusCode, answer.headers['api-version']]).to.deep.equal([200, '1.0']);
    answer.setEncoding('utf8');
    expect(await answer.toArray()).to.deep.equal(['{}']);
  });

  for (const version of ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const) {
    const taken = version >= 'TLSv1.2';
    it(`${taken ? 'takes' : 'refuses'} ${version}`, async () => {
      // OpenSSL's lowest level of security: else it is the client that refuses.
      const old = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' } as const;
      const socket = connect({ port: toys.port, host: '127.0.0.1', ca: CERTIFICATE, servername: 'localhost', ...old });
      const outcome = await new Promise((resolve) => {
        socket.once('secureConnect', () => {
          resolve(socket.getProtocol());
        });
        socket.once('error', ({ code }: NodeJS.ErrnoException) => {
          resolve(code);
        });
      });
      expect(outcome).to.equal(taken ? version : 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
      socket.destroy();
    });
  }

  it('does not answer clients that use plain HTTP', async () => {
    expect(await toys.wire('GET /api/v1/toys HTTP/1.1\r\nHost: a\r\n\r\n').ended()).to.equal('');
  });
});
