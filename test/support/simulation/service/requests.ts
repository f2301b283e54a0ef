import type { Json, JsonObject } from '../../../../src/kernel/json.ts';
import { entryOf, IN_ORDER, referencesOf, sampleBody, sampleOf } from '../../resources/entries.ts';
import type { Entry } from '../../resources/entry.ts';
import type { Field } from '../../resources/fields.ts';
import type { SimulatedRequest } from './node.ts';

/** What requests refer to: resources by kind, as answered. */
export type Known = ReadonlyMap<string, JsonObject>;

/** The id of the known resource of a kind. */
type IdOf = (kind: string) => string;

/** Makes the request of an operation. What it refers to must be known; `n` makes its texts unique. */
type Maker = (id: IdOf, n: number, known: Known) => Omit<SimulatedRequest, 'operation'>;

/** Laps per batch. */
export const LAPS_OF_A_BATCH = 3;

/** The operations that create and change a resource, and the parameter of its path. */
const createOf = ({ name }: Entry): string => (name === 'Rig' ? 'registerRig' : `create${name}`);
const parameterOf = (name: string): string => `${name.slice(0, 1).toLowerCase()}${name.slice(1)}Id`;

function created(entry: Entry, id: IdOf, n: number, known: Known): ReturnType<Maker> {
  const params = Object.fromEntries(Object.entries(entry.inPath).map(([name]) => [name, id('Simulator')]));
  const body = sampleBody(entry.create, { n: `${n}`, ids: id });
  if (entry.name !== 'Rig') return { params, body };
  return { params, body: { ...body, licenseFile: known.get('LicenseFile') ?? {} } };
}

/** Changes the texts to unique ones; without texts, changes every field but references. */
function changed(entry: Entry, id: IdOf, n: number): ReturnType<Maker> {
  const { change, hides } = entry;
  const isSent = ([field, { isText }]: [string, Field]): boolean => isText === true || (hides && field === 'enabled');
  const texts = Object.entries(change).filter(isSent);
  const all = Object.entries(change).filter(([, one]) => one.refersTo === undefined && one.untimely === undefined);
  const body = (texts.length > 0 ? texts : all).map(([field, one]): [string, Json] => [
    field,
    one.isText === true ? sampleOf(field, one, { n: `${n}`, ids: id }) : (one.few[n % one.few.length] ?? null),
  ]);
  return { params: paramsOf(entry, id), body: Object.fromEntries(body) };
}

function paramsOf(entry: Entry, id: IdOf) {
  if (entry.maps === undefined) return { [parameterOf(entry.name)]: id(entry.name) };
  return Object.fromEntries(referencesOf(entry).map(({ name, refersTo }) => [name, id(refersTo)]));
}

/** Creates one of each kind, in the order of their references. */
const CREATES: Readonly<Record<string, Maker>> = Object.fromEntries(
  IN_ORDER.flatMap((entry): (readonly [string, Maker])[] => {
    const create: Maker = (id, n, known) => created(entry, id, n, known);
    if (entry.name !== 'License') return [[createOf(entry), create]];
    return [
      [createOf(entry), create],
      ['createLicenseFile', (id) => ({ params: { licenseId: id('License') } })],
    ];
  }),
);

/** Changes or deletes one of them. */
const CHANGES: Readonly<Record<string, Maker>> = {
  ...Object.fromEntries(
    IN_ORDER.flatMap((entry): (readonly [string, Maker])[] => {
      const change: Maker = (id, n) => changed(entry, id, n);
      if (entry.deletes !== true) return [[`update${entry.name}`, change]];
      return [
        [`update${entry.name}`, change],
        [`delete${entry.name}`, (id) => ({ params: paramsOf(entry, id) })],
      ];
    }),
  ),
  checkIn: (id, n) => ({ body: { firstName: `Walk-in ${n}`, lastName: '', eventId: id('Event') } }),
  rotateLicenseKey: (id) => ({ params: { licenseId: id('License') } }),
  issueRigKey: (id) => ({ params: { rigId: id('Rig') } }),
  issueLicenseKey: (id) => ({ params: { licenseId: id('License') } }),
  rotateApiKey: (id) => ({ params: { apiKeyId: id('ApiKey') }, body: {} }),
  announceSequence: (id, n) => ({ params: { rigId: id('Rig') }, body: { boot: `boot ${n}`, upTo: n } }),
  takeSeat: (id) => ({
    params: { rigId: id('Rig') },
    body: { participantId: id('Participant'), eventId: id('Event') },
  }),
  arrangeQueue: (id) => ({ params: { eventId: id('Event') }, body: { participantIds: [id('Participant')] } }),
  leaveSeat: (id) => ({ params: { rigId: id('Rig') } }),
  createLaps: (id, n) => ({
    body: {
      laps: Array.from({ length: LAPS_OF_A_BATCH }, (_, index) => ({
        ...sampleBody(entryOf('Lap').create, { n: `${n}`, ids: id }),
        sequence: { boot: `boot ${n}`, number: index + 1 },
        key: `createLaps-${n}-${index}`,
      })),
    },
  }),
};

const MAKERS: ReadonlyMap<string, Maker> = new Map(Object.entries({ ...CREATES, ...CHANGES }));

/** The operations that make one of everything, in order. */
export const FURNISHING: readonly string[] = Object.keys(CREATES);
/** All operations that write. */
export const WRITES: readonly string[] = [...MAKERS.keys()];

/** The request of an operation; `known` has what it refers to. */
export function requestOf(operation: string, n: number, known: Known): SimulatedRequest {
  const make = MAKERS.get(operation);
  if (make === undefined) throw new Error(`nobody knows how to send ${operation}`);
  const id = (kind: string): string => {
    const found = known.get(kind)?.['id'];
    if (typeof found !== 'string') throw new Error(`${operation} needs a ${kind}`);
    return found;
  };
  return { operation, idempotencyKey: `${operation}-${n}`, ...make(id, n, known) };
}

/** Adds the resource in the answer to a create. */
export function learned(operation: string, body: JsonObject, known: Known): Known {
  const kind = operation.replace(/^(create|register)/, '');
  const member = IN_ORDER.find(({ name }) => name === kind)?.member;
  const made = member === undefined ? body : body[member];
  // Views are JSON objects.
  return kind === operation ? known : new Map([...known, [kind, { ...(made as JsonObject), token: body['token'] }]]);
}

/** True for the status of a success, or of a repetition of an operation that had succeeded. */
export function isDone(operation: string, status: number, again: boolean): boolean {
  return (status >= 200 && status < 300) || (again && mappingRefusal(operation) === status);
}

/** The refusal of a repeated mapping or deletion. */
function mappingRefusal(operation: string): number | null {
  if (!/^(create|delete)Simulator(Layout|Car)$/.test(operation)) return null;
  return operation.startsWith('create') ? 409 : 404;
}

/** True if a status is correct when several clients compete. */
export function isRight(operation: string, status: number): boolean {
  if (status >= 200 && status < 300) return true;
  if (/Simulator(Layout|Car)$/.test(operation)) return status === 404 || status === 409;
  // A file of a licence whose key was rotated.
  if (operation === 'registerRig' && status === 403) return true;
  return CONTENDED.some(({ name }) => operation.endsWith(name)) && status === 409;
}

/** Operations that gain unique keys. */
export const WANTING_KEYS: readonly string[] = IN_ORDER.flatMap((entry) =>
  entry.unique === undefined || entry.idempotent === 'registers once' ? [] : [createOf(entry), `update${entry.name}`],
);

/** Resources with a unique key, and API keys, which may have been revoked. */
const CONTENDED = IN_ORDER.filter(({ unique, name }) => unique !== undefined || name === 'ApiKey');

/** Operations that may be in effect already. */
const IN_EFFECT: readonly string[] = [
  ...['createLicenseFile', 'deleteApiKey', 'createParticipant'],
  ...['takeSeat', 'leaveSeat', 'arrangeQueue'],
];

/** True if an operation may record nothing, as it is already in effect. */
export function mayBeNothing(operation: string): boolean {
  return IN_EFFECT.includes(operation);
}
