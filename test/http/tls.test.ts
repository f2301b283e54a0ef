import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { z } from 'zod';
import { endpoint } from '../../src/http/endpoint.ts';
import { startToys, Wire, type Toys } from '../support/api/http.ts';

/** A certificate that nobody trusts, for localhost, and its key; made with openssl for this test. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUeoJTFNhWrkEQGdJcn0MKbYh8F/cwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA5MDkzNFoYDzIxMjYxMDI4
MDkwOTM0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASZJMs0Adh9tlW0q4GYMD9oY2xulp9T04dVy3FKA/SCQK11A9uHO24R
05VpANh3i8kHv/tvZMMp08trUM9FC6OGo28wbTAdBgNVHQ4EFgQUX1Y98KMmnogs
68fFg0VMS52KIXgwHwYDVR0jBBgwFoAUX1Y98KMmnogs68fFg0VMS52KIXgwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAOwBA5wtG55EhkC7/hOX3QRfj2kS7LH8OhhA606iSmy/AiEA
wJedqbKVYcZrSnNPtFYpoXj1XUaZFUMreEPUSnYu2EA=
-----END CERTIFICATE-----`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgWhlI8UMgJp04GFWD
a58e0SysBHVDJPPr8j/uVyMEd7mhRANCAASZJMs0Adh9tlW0q4GYMD9oY2xulp9T
04dVy3FKA/SCQK11A9uHO24R05VpANh3i8kHv/tvZMMp08trUM9FC6OG
-----END PRIVATE KEY-----`;

describe('TLS', () => {
  let toys: Toys;
  before(async () => {
    toys = await startToys(
      [
        endpoint({
          method: 'GET',
          path: '/api/v1/toys',
          operationId: 'listToys',
          tag: 'Toys',
          summary: 'A toy',
          access: 'public',
          responses: { 200: z.unknown() },
          handle: () => ({ kind: 'json', status: 200, body: { safe: true } }),
        }),
      ],
      { tls: { cert: CERTIFICATE, key: KEY } },
    );
  });
  after(() => toys.close());

  it('serves https with the certificate given', async () => {
    const options = { ca: CERTIFICATE, agent: false };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${toys.url}/api/v1/toys`, options, resolve).on('error', reject);
    });
    expect([answer.statusCode, answer.headers['api-version']]).to.deep.equal([200, '1.0']);
    answer.setEncoding('utf8');
    expect(await answer.toArray()).to.deep.equal(['{"safe":true}']);
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

  it('is not spoken to who speaks plain HTTP', async () => {
    expect(await new Wire(toys.port).write('GET /api/v1/toys HTTP/1.1\r\nHost: a\r\n\r\n').ended()).to.equal('');
  });
});
