import { expect } from 'chai';
import { z } from 'zod';
import type { ApiRequest, Endpoint, Method } from '../../src/service/http/endpoint.ts';
import { includesDisabled } from '../../src/service/api/lists.ts';
import { includeDisabled, pageParameters } from '../../src/service/http/paging.ts';
import { json, keyed, problem, toy, until, useToys } from '../support/api/http.ts';

const Toy = z.object({ name: z.string(), parts: z.array(z.object({ 'a/b~c': z.int() })).optional() });

const echo = ({ json: sent, body }: ApiRequest) => ({ kind: 'json', status: 200, body: { json: sent, body } }) as const;

const headers = (method: Method): Endpoint =>
  toy(method, '/api/v1/headers', {
    body: z.object({}),
    handle: ({ headers: { ifMatch, respondAsync, idempotencyKey } }) => ({
      kind: 'json',
      status: 200,
      body: { ifMatch, respondAsync, idempotencyKey },
    }),
  });

const rows: readonly Endpoint[] = [
  toy('POST', '/api/v1/toys', { body: Toy, handle: echo }),
  toy('POST', '/api/v1/any', { body: z.unknown(), handle: echo }),
  toy('POST', '/api/v1/bodyless'),
  headers('PATCH'),
  headers('POST'),
  toy('GET', '/api/v1/pages', {
    query: z.object({ ...pageParameters(['name', 'createdAt'], 'name'), includeDisabled }),
    handle: ({ query, caller }) => ({
      kind: 'json',
      status: 200,
      body: { ...query, disabled: includesDisabled({ query, caller }) },
    }),
  }),
];

describe('bodies of requests', () => {
  const toys = useToys(rows);

  const post = (body: string, headers: Readonly<Record<string, string>> = { 'Content-Type': 'application/json' }) =>
    toys.send('/api/v1/any', { method: 'POST', body, headers });

  it('may have a byte order mark and unknown fields, and are JSON in UTF-8', async () => {
    const json8 = ['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'APPLICATION/JSON'];
    const types = [...json8, 'application/merge-patch+json'];
    for (const type of types) expect((await post('{"name":"x"}', { 'Content-Type': type })).status, type).to.equal(200);
    expect(await (await post('\ufeff{"a":"😀"}')).json()).to.deep.equal({ json: { a: '😀' }, body: { a: '😀' } });
    const whole = { name: 'x', unknown: [1], constructor: 1, $where: 1, 'a.b': 1 };
    expect(await (await toys.send('/api/v1/toys', json(whole))).json()).to.deep.equal({
      json: whole,
      body: { name: 'x' },
    });
  });

  it('are refused with 415 for other types and encodings', async () => {
    const others = ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data'];
    const almost = ['application/jsonx', 'json', 'application/json, text/plain', 'application/json; charset=utf-16'];
    for (const type of [...others, ...almost, 'application/json; charset=latin1']) {
      await problem(await post('{}', { 'Content-Type': type }), 415);
    }
    for (const encoding of ['gzip', 'deflate', 'br'])
      await problem(await post('{}', { 'Content-Type': 'application/json', 'Content-Encoding': encoding }), 415);
    await problem(await toys.send('/api/v1/any', { method: 'POST', body: new Uint8Array([123, 125]) }), 415);
  });

  it('have headers that are read in linear time', async () => {
    const cpuWith = async (length: number): Promise<number> => {
      const started = process.cpuUsage();
      const blanks = ' '.repeat(length);
      const parts = 'application/json;'.repeat(2 + length / 17);
      for (const type of [`application/json${blanks}x`, `application/json;${blanks}x`, parts]) {
        await problem(await post('{}', { 'Content-Type': type }), 415);
      }
      for (const name of ['If-Match', 'If-None-Match', 'Prefer', 'Idempotency-Key', 'X-Request-Id', 'Origin']) {
        for (const value of [
          `a${blanks}b`,
          `"a"${blanks}b`,
          `a${' ,'.repeat(length / 2)}b`,
          '"a",'.repeat(length / 4),
        ]) {
          await post('{"name":"x"}', { 'Content-Type': 'application/json', [name]: value });
        }
      }
      return process.cpuUsage(started).user;
    };
    await cpuWith(100); // The code is compiled by then.
    const short = await cpuWith(100);
    // One header with 15,000 blanks once took as long as all of these: in steps by their square, long ones take 100 times
    // as long as short ones; measured against each other, so that neither the machine nor its load counts.
    expect(await cpuWith(14_800)).to.be.below(20 * short);
  });

  it('are refused with 400 when they are empty, malformed, not UTF-8 or not storable', async () => {
    const malformed = [
      ...['', ' ', '{', '}', '"', 'undefined', 'tru', 'name=x', '<a/>', '\u0000', '/* */ {}', '{} {}', '{"a":1}x'],
      ...['{"a":}', '{"a": 1', '{"a": 1,}', "{'a': 1}", '{"a": undefined}', '{"a": 01}', '{"a": .5}', '{"a": NaN}'],
      ...['{"a": "b\nc"}', '[1,]', '{"a" "b"}'],
    ];
    const unstorable = [
      ...['"a\\u0000b"', '{"a\\u0000":1}', '{"x": [{"y": "\\u0000"}]}'],
      ...['"\\ud800"', '{"a":["\\udc00x"]}', '{"\\udfff":1}', '"\\udfc1\\ud83c"'],
      ...['{"__proto__":{}}', '[{"a":{"__proto__":1}}]', '{"\\u005f_proto__":1}', '{"x": [{"\\u005f_proto__": null}]}'],
      ...['1e400', '{"a":-1e999}', '{"x": [1e0000309]}', '{"x": {"y": 1E+309}}', '[1e400\n, 2]'],
      ...['{"a":1,"a":1}', '{"a":{"b":1,"\\u0062":2}}', '[{"a":1 , "b":{}, "a"\n:2}]', '{"":1,"":2}'],
      ...['9007199254740993', '{"a":-12345678901234567890}', '[1,18446744073709551615]', '[9007199254740993.0]'],
      ...['{"a":9007199254740993e0}', '[9007199254740.993E3]', '[1.23456789012345678e+30]', `[${'1'.repeat(300)}]`],
      ...[`{"x": ${'9'.repeat(310)}}`, `[${'9'.repeat(250)}e99]`],
    ];
    for (const text of unstorable) await problem(await post(text), 400);
    for (const text of malformed) await problem(await post(text), 400);
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    await problem(await toys.send('/api/v1/any', { ...init, body: new Uint8Array([34, 0xc3, 0x28, 34]) }), 400);
    await problem(await toys.send('/api/v1/any', init), 400);
    const document = await problem(await post('{"a":[0,{"b/c~":1e400}]}'), 400);
    expect(document.errors).to.deep.equal([{ pointer: '#/a/1/b~1c~0', detail: 'is out of range' }]);
    const digits = await problem(await post('{"a":[0,{"b/c~":9007199254740993}]}'), 400);
    expect(digits).to.have.nested.property('errors[0].pointer', '#/a/1/b~1c~0');
    const twice = await problem(await post('{"a":[0,{"b":1,"c":{"b":1},"b":1}]}'), 400);
    expect(twice.errors).to.deep.equal([{ pointer: '#/a/1/b', detail: 'is given twice' }]);
    expect(Object.getPrototypeOf({})).to.equal(Object.prototype);
  });

  it('are refused with 413 above 32 levels or above the limit in bytes', async () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    const objects = (levels: number) => '{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1);
    for (const text of [nested(32), objects(32), JSON.stringify(nested(200)), JSON.stringify(Array(40).fill({}))])
      expect((await post(text)).status).to.equal(200);
    for (const text of [nested(33), objects(33), nested(499)]) await problem(await post(text), 413);
    await problem(await post('['.repeat(499)), 400);
    const sized = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
    for (const bytes of [999, 1000]) expect((await post(sized(bytes))).status).to.equal(200);
    await problem(await post(sized(1001)), 413);
    await problem(await post(sized(2_000_000)), 413);
  });

  it('are answered with 413 while they still arrive when they are large or endless', async () => {
    const start = 'POST /api/v1/any HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
    const announced = toys.wire(`${start}Content-Length: 200000\r\n\r\n${'x'.repeat(10)}`);
    expect(await announced.sees(/\}$/))
      .to.match(/^HTTP\/1.1 413/)
      .and.to.match(/Connection: close/);
    announced.write('x'.repeat(199_990));
    await announced.ended();
    const endless = toys.wire(`${start}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = `3e8\r\n${'x'.repeat(1000)}\r\n`;
    endless.write(chunk).write(chunk);
    expect(await endless.sees(/\}$/)).to.match(/^HTTP\/1.1 413/);
    endless.write('0\r\n\r\n');
    expect(await endless.ended()).to.match(/\}$/);
  });

  it('are refused with pointers to the fields that do not match the schema', async () => {
    const wrong = json({ parts: [{ 'a/b~c': 1 }, { 'a/b~c': 'x' }] });
    const document = await problem(await toys.send('/api/v1/toys', wrong), 400);
    expect(document.errors).to.deep.include({ pointer: '#/name', detail: 'is required' });
    expect(document.errors).to.have.nested.property('[1].pointer', '#/parts/1/a~1b~0c');
    const list = await problem(await toys.send('/api/v1/toys', json('[]')), 400);
    expect(list).to.have.nested.property('errors[0].pointer', '#');
    const many = await problem(await toys.send('/api/v1/toys', json({ name: '', parts: Array(300).fill(0) })), 400);
    expect(many.errors).to.have.length(50);
  });

  it('are ignored where none is expected, and where the client leaves while it sends one', async () => {
    for (const body of [null, 'x', 'x'.repeat(200_000)]) {
      expect((await toys.send('/api/v1/bodyless', { method: 'POST', body })).status).to.equal(200);
    }
    const start = 'POST /api/v1/any HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
    const head = `${start}Content-Length: 100\r\n\r\n{`;
    const before = toys.observed.filter(([, status]) => status === 400).length;
    const halfClosed = toys.wire(head);
    halfClosed.socket.end();
    expect(await halfClosed.ended()).to.match(/^HTTP\/1.1 400/);
    const wire = toys.wire(head.replace('\r\n\r\n{', '\r\nExpect: 100-continue\r\n\r\n{'));
    await wire.sees(/100 Continue/);
    wire.socket.destroy();
    await until(() => toys.observed.filter(([, status]) => status === 400).length >= before + 2);
    expect(toys.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });
});

describe('parameters of requests', () => {
  const toys = useToys(rows);

  const get = async (query: string): Promise<unknown> => (await toys.send(`/api/v1/pages${query}`)).json();

  it('include page, size and sort, with defaults', async () => {
    const defaults = {
      page: 0,
      size: 20,
      sort: { field: 'name', direction: 'asc' },
      includeDisabled: false,
      disabled: false,
    };
    for (const query of ['', '?', '?&&']) expect(await get(query)).to.deep.equal(defaults);
    const sorts = [
      ['createdAt', 'asc'],
      ['createdAt,asc', 'asc'],
      ['createdAt,desc', 'desc'],
      ['createdAt%2CDESC', 'desc'],
    ];
    for (const [sent, direction] of sorts) {
      expect(await get(`?page=3&size=1000&sort=${sent}`)).to.deep.equal({
        ...defaults,
        page: 3,
        size: 1000,
        sort: { field: 'createdAt', direction },
      });
    }
    expect(await get('?page=9007199254739')).to.deep.include({ page: 9_007_199_254_739 });
  });

  it('show disabled records only to keys of role CRUD or higher', async () => {
    const asked = (init?: RequestInit) => toys.send('/api/v1/pages?includeDisabled=true', init);
    expect(await problem(await asked(), 401)).to.include({ type: 'urn:problem-type:unauthenticated' });
    for (const role of ['R', 'CR']) await problem(await asked(keyed(role)), 403);
    expect(await (await asked(keyed('CRUD'))).json()).to.deep.include({ disabled: true });
  });

  it('are refused with 400 when they are unknown, with the names of the known ones', async () => {
    for (const [query, pointer] of [
      ['eventID=1', '#/query/eventID'],
      ['x=1&x=2', '#/query/x'],
      ['y[]=3', '#/query/y[]'],
      ['_method=PUT', '#/query/_method'],
      ['__proto__=1', '#/query/__proto__'],
      ['a/b=1', '#/query/a~1b'],
      ['srt_abcdefgh_secret', '#/query/srt_abcdefgh_[secret]'],
      ['%zz=1', '#/query'],
      ['=1', '#/query/'],
    ] as const) {
      const refused = await problem(await toys.send(`/api/v1/pages?page=1&${query}`), 400);
      const detail = 'is no known parameter: the parameters here are page, size, sort, includeDisabled';
      expect(refused['errors'], query).to.deep.include({ pointer, detail });
    }
    const many = await problem(await toys.send(`/api/v1/pages?${'x&'.repeat(4_000)}`), 400);
    expect(many['errors']).to.have.lengthOf(50);
  });

  it('are refused with 400 when they are wrong, empty, repeated or array-like', async () => {
    const wrong = [
      ...['page=-1', 'page=1.5', 'page=', 'page', 'page=x', 'page=1e3', 'page=0x1', 'page=+1', 'page=%201', 'page=NaN'],
      ...['page=null', 'page=1&page=2', 'page[]=1', 'page[0]=1', 'page[a][b]=1', 'page%5Ba%5D=1'],
      ...['page=9007199254740', 'page=99999999999999999999', `page=${'9'.repeat(30)}`],
      ...['page=%zz', 'page=%E0%A4%A', 'page=%00', 'page=1%00'],
      ...['size=0', 'size=1001', 'size=-5', 'size=1.5', 'size=x', 'size=', 'size=99999999999999999999', 'size[a]=1'],
      ...['sort=id', 'sort=', 'sort=name,up', 'sort=name,', 'sort=,asc', 'sort=name,asc,desc'],
      ...[
        'sort=name&sort=createdAt',
        'sort=NAME',
        'sort=name desc',
        'sort=name;desc',
        'sort=name%00',
        'sort=__proto__',
        'sort=constructor',
      ],
      ...['sort[]=name', 'sort=%E0%A4%A', 'includeDisabled=1', 'includeDisabled=TRUE', 'includeDisabled='],
    ];
    for (const query of wrong) {
      const document = await problem(await toys.send(`/api/v1/pages?${query}`), 400);
      const name = /^\w+/.exec(query)?.[0] ?? '';
      expect(document.errors, query).to.have.nested.property('[0].pointer', `#/query/${name}`);
    }
    expect((await problem(await toys.send('/api/v1/pages?page=x&size=0'), 400)).errors).to.have.length(2);
  });

  const sending = async (method: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
    toys.send('/api/v1/headers', { method, body: '{}', headers: { 'Content-Type': 'application/json', ...headers } });

  it('include If-Match, read as a revision and its time if the tag has one', async () => {
    const anyMoment = (revision: number) => ({ revision, moments: null });
    const moment = Date.UTC(2026, 10, 28);
    const withMoment = `5-${moment.toString(36)}.abc.1f`;
    const tags = [
      ['"5-abc"', anyMoment(5)],
      ['"5-abc", "5-def"', anyMoment(5)],
      ['*', null],
      ['"abc"', 'none'],
      ['W/"5-abc"', 'none'],
      ['W/"4-a","5-b" ,', anyMoment(5)],
      ['"5"', 'none'],
      ['"x,y", "6-z"', anyMoment(6)],
      [`"${withMoment}"`, { revision: 5, moments: [moment] }],
      [`"${withMoment}", "5-abc"`, anyMoment(5)],
    ] as const;
    for (const [header, ifMatch] of tags) {
      expect(await (await sending('PATCH', { 'If-Match': header })).json(), header).to.deep.include({ ifMatch });
    }
    for (const header of ['5', '5-abc', '"5-abc', '', ',', '"1-a" "2-b"', '"1-a", "2-b"', '*, "1-a"', '"a" b']) {
      await problem(await sending('PATCH', { 'If-Match': header }), 400);
    }
    expect(await (await sending('POST', { 'If-Match': 'bad' })).json()).to.deep.include({ ifMatch: null });
  });

  it('include Idempotency-Key and Prefer where these apply', async () => {
    const key = '!~'.repeat(127);
    const withKey = (method: string, value: string) => sending(method, { 'Idempotency-Key': value });
    expect(await (await withKey('POST', key)).json()).to.deep.include({ idempotencyKey: key });
    for (const bad of ['', 'a b', 'é', 'x'.repeat(256)]) await problem(await withKey('POST', bad), 400);
    expect(await (await withKey('PATCH', 'a b')).json()).to.deep.include({ idempotencyKey: null });
    const preferring = async (Prefer: string): Promise<unknown> => (await sending('PATCH', { Prefer })).json();
    for (const prefer of ['respond-async', 'wait=5, Respond-Async; x=1', 'a,respond-async']) {
      expect(await preferring(prefer), prefer).to.deep.include({ respondAsync: true });
    }
    for (const prefer of ['respond-async-not', 'x=respond-async', 'wait=1']) {
      expect(await preferring(prefer), prefer).to.deep.include({ respondAsync: false });
    }
  });
});
