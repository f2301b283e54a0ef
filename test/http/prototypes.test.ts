import { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { z } from 'zod';
import { json, problem, toy, useToys } from '../support/api/http.ts';

const rows = [
  toy('GET', '/api/v1/toys'),
  toy('GET', '/api/v1/toys/{toyId}', { params: z.object({ toyId: z.string() }) }),
  toy('POST', '/api/v1/toys', { body: z.unknown() }),
];

/** The request and the response of an exchange are given a prototype again by Express, and have it already. */
describe('prototypes of requests and responses', () => {
  const toys = useToys(rows);
  const { setPrototypeOf } = Object;
  let given = 0;
  let changed = 0;
  before(() => {
    Object.setPrototypeOf = <T>(target: T, prototype: object | null): T => {
      if (target instanceof IncomingMessage || target instanceof ServerResponse) {
        given += 1;
        if (Object.getPrototypeOf(target) !== prototype) changed += 1;
      }
      return Reflect.apply(setPrototypeOf, Object, [target, prototype]) as T;
    };
  });
  after(() => {
    Object.setPrototypeOf = setPrototypeOf;
  });

  it('are never changed: all that follows would be slow', async () => {
    for (const path of ['/api/v1/toys', '/api/v1/toys/1', '/swagger-ui/', '/swagger-ui/swagger-ui.css', '/api-docs'])
      expect((await toys.send(path)).status, path).to.equal(200);
    expect((await toys.send('/api/v1/toys', json({}))).status).to.equal(200);
    await problem(await toys.send('/api/v1/nope'), 404);
    await problem(await toys.send('/api/v1/toys', json('{')), 400);
    const wire = toys.wire(
      'POST /api/v1/toys HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n' +
        'Content-Length: 2\r\n\r\n{}',
    );
    await wire.sees(/100 Continue.*200 OK/s);
    expect(given).to.be.at.least(18);
    expect(changed).to.equal(0);
  });
});
