import { expect } from 'chai';
import { operationsOf, plainSchema, schemasIn, type Documented, type Schema } from '../support/api/openapi.ts';
import { useService } from '../support/api/with-service.ts';

/** A text without the names that it quotes. */
const prose = (text = ''): string => text.replaceAll(/`[^`]*`/g, '');

describe('API: the OpenAPI document', () => {
  const api = useService();
  const schemaOf = (name: string): Schema => api.service.document.components.schemas[name] ?? {};
  const resolved = (schema: Schema): Schema => plainSchema(api.service.document, schema);

  /** The properties of all schemas, by path. */
  function properties(): readonly (readonly [string, Schema])[] {
    const inside = (path: string, { properties = {}, items = {} }: Schema): (readonly [string, Schema])[] => {
      const own = Object.entries(properties).flatMap(([name, property]) => {
        const at = `${path}.${name}`;
        return [[at, property] as const, ...inside(at, property)];
      });
      return items.properties === undefined ? own : [...own, ...inside(`${path}[]`, items)];
    };
    return Object.entries(api.service.document.components.schemas).flatMap(([name, schema]) => inside(name, schema));
  }

  it('states what each operation does, who may call it, and which units it uses', () => {
    const { document } = api.service;
    const tags = new Map(document.tags.map(({ name, description }) => [name, description]));
    for (const { operation } of operationsOf(document)) {
      const { operationId, summary, description } = operation;
      expect(operationId)
        .to.match(/^[a-z][A-Za-z]+$/)
        .and.not.to.match(/sss/);
      expect(summary, operationId).to.match(/^[A-Z].*[^.]$/);
      expect(description, operationId).to.match(/\. (Public: it needs no key|Needs a key of role (R|CR|CRUD|ADMIN)\b)/);
      for (const tag of operation.tags) expect(tags.get(tag), tag).to.match(/\w.*\.$/);
    }
    const of = (id: string) => operationsOf(document).find(({ operation }) => operation.operationId === id)?.operation;
    expect(of('createLap')?.description).to.match(
      /role CRUD or higher\. The key of a rig.* Times are in milliseconds\. Instants/,
    );
    expect(of('createLap')?.requestBody).to.have.property('required', true);
    expect(of('getTrackLayout')?.description).to.match(/Lengths are in metres/);
    expect(of('rotateApiKey')?.description).to.match(/Times are in seconds/);
    expect(of('rotateApiKey')?.requestBody).to.have.property('required', false);
  });

  it('describes each property, with an example', () => {
    const faults: string[] = [];
    for (const [path, property] of properties()) {
      const { items = {}, description, examples = [] } = resolved(property);
      const isMade = [property, items].some((one) => one.$ref !== undefined || resolved(one).properties !== undefined);
      if (description === undefined) faults.push(`${path} has no description`);
      if (/^(?!.*\bEdDSA).*\b[A-Z][a-z]+[A-Z]/.test(prose(description)))
        faults.push(`${path} names something of the code`);
      if (!isMade && examples.length !== 1) faults.push(`${path} has no example`);
    }
    expect(faults).to.deep.equal([]);
  });

  it('states what each id in bodies and filters refers to, and what each name belongs to', () => {
    const { document } = api.service;
    const known = (name: unknown) => typeof name === 'string' && name in document.components.schemas;
    const isReference = ({ format, items }: Schema) => [format, items?.format].includes('uuid');
    const filters = operationsOf(document).flatMap(({ operation: { operationId, parameters = [] } }) =>
      parameters.flatMap(({ in: place, name, schema = {} }) =>
        place === 'query' ? [[`${operationId}.${String(name)}`, schema] as const] : [],
      ),
    );
    const faults = [...properties(), ...filters].flatMap(([path, schema]) => {
      // Ids of the changes of a history are of no resource.
      const isOfChange = path === 'Change.changeId' || /History\.after$/.test(path);
      const isOwn = /\.(id|boot)$/.test(path) || /^(Accepted|LapVerdict)/.test(path) || isOfChange;
      return isReference(schema) && !isOwn && !known(schema['x-refers-to']) ? [path] : [];
    });
    expect(faults, 'ids of nothing that is known').to.deep.equal([]);
    expect(schemaOf('Lap').properties).to.have.nested.property('participantName.x-name-of', 'participantId');
  });

  it('states how answers name the fields of bodies, which are files, and what omitted ones default to', () => {
    const bodies = [
      ['RecordLap', 'Lap'],
      ['ChangeLap', 'Lap', 'reason'],
      ['AddBrand', 'Brand'],
      ['AddSimulator', 'Simulator'],
      ['ChangeSimulator', 'Simulator'],
      ['ScheduleRacingEvent', 'Event'],
      ['AddTrackLayout', 'TrackLayout'],
    ] as const;
    for (const [body, view, ...others] of bodies) {
      const shown = Object.entries(schemaOf(body).properties ?? {}).map(([name, field]) => field['x-shown-as'] ?? name);
      expect(Object.keys(schemaOf(view).properties ?? {}), body).to.include.members(
        shown.filter((name) => !others.some((other) => other === name)),
      );
    }
    const files = properties().flatMap(([path, schema]) => (schema['x-file'] === true ? [path] : []));
    expect(files).to.include.members(['AddTrack.logo', 'Track.logo', 'AddTrackLayout.trackImages', 'ChangeBrand.logo']);
    expect(schemaOf('AddTrack').properties?.['enabled']).to.have.property('x-default', true);
  });

  describe('for generators of clients', () => {
    const all = () => schemasIn(api.service.document, '#');
    const named = /^#\/components\/schemas\/\w+$/;
    const typesOf = ({ type = [] }: Schema) => [type].flat();
    /** Paths of the schemas that break a rule. */
    const breaking = (breaks: (schema: Schema, path: string) => boolean) =>
      all().flatMap(([path, schema]) => (breaks(schema, path) ? [path] : []));

    it('names nullable objects, free-form JSON and enums once each (`component`)', () => {
      expect(breaking((schema) => schema.type !== 'object' && typesOf(schema).includes('object'))).to.deep.equal([]);
      expect(breaking((schema) => typesOf(schema).filter((type) => type !== 'null').length > 1)).to.deep.equal([]);
      expect(breaking((schema) => 'x-component' in schema)).to.deep.equal([]);
      const enums = all().filter(([, schema]) => schema.enum !== undefined);
      expect(enums.filter(([path]) => !named.test(path))).to.deep.equal([]);
      const values = enums.map(([, schema]) => JSON.stringify(schema.enum));
      expect(values.filter((one, index) => values.indexOf(one) !== index)).to.deep.equal([]);
      expect(schemaOf('AnyJson')).to.have.all.keys('description');
      expect(schemaOf('Lap').properties?.['sequence']?.oneOf).to.deep.equal([
        { $ref: '#/components/schemas/Sequence' },
        { type: 'null' },
      ]);
    });

    it('states the bounds of each integer, and int64 where they exceed 32 bits', () => {
      const isInteger = (schema: Schema) => typesOf(schema).includes('integer');
      expect(
        breaking((one) => isInteger(one) && (one.minimum === undefined || one.maximum === undefined)),
      ).to.deep.equal([]);
      const isWide = (schema: Schema) => {
        const { maximum = Infinity, minimum = -Infinity } = schema;
        return isInteger(schema) && (maximum >= 2 ** 31 || minimum < -(2 ** 31));
      };
      expect(all().filter(([, schema]) => isWide(schema))).not.to.have.lengthOf(0);
      expect(breaking((schema) => isWide(schema) && schema.format !== 'int64')).to.deep.equal([]);
    });

    it('has no object with both named and other fields, except to forbid these', () => {
      const isMixed = ({ properties, additionalProperties = false }: Schema) =>
        properties !== undefined && additionalProperties !== false;
      expect(breaking(isMixed)).to.deep.equal([]);
    });

    it('distinguishes verdicts by a discriminator with a mapping of all of them', () => {
      const unions = all().filter(([, schema]) => schema.oneOf?.every(({ $ref }) => $ref !== undefined));
      expect(unions.map(([path]) => path)).to.include('#/components/schemas/LapVerdict');
      const verdicts = unions.map(([, { discriminator }]) => Object.keys(discriminator?.mapping ?? {}));
      expect(verdicts).to.deep.equal([['created', 'duplicate', 'rejected', 'retry']]);
      expect(schemaOf('RefusedLap').required).to.deep.equal(['verdict', 'problem']);
    });
  });

  it('describes each parameter, with an example', () => {
    const { components } = api.service.document;
    const faults = operationsOf(api.service.document).flatMap(({ operation: { operationId, parameters = [] } }) =>
      parameters.flatMap((one) => {
        const parameter = one.$ref === undefined ? one : components.parameters[one.$ref.split('/').at(-1) ?? ''];
        const isDescribed = parameter?.description !== undefined && parameter.schema?.examples?.length === 1;
        return isDescribed ? [] : [`${operationId} ${parameter?.name ?? ''}`];
      }),
    );
    expect(faults, 'parameters without description or example').to.deep.equal([]);
  });

  it('uses the same venue throughout its examples', () => {
    const example = (name: string, property: string) => schemaOf(name).properties?.[property]?.examples?.[0];
    expect(example('RecordLap', 'sectors')).to.deep.equal([41_873, 57_412, 39_206]);
    expect(example('RecordLap', 'totalTime')).to.equal(41_873 + 57_412 + 39_206);
    expect(example('Lap', 'trackDisplayName')).to.equal(example('TrackLayout', 'displayName'));
    expect(example('Lap', 'car')).to.equal(example('Car', 'id')).and.to.equal(example('RecordLap', 'carId'));
    expect(example('Participant', 'id')).to.equal(example('Lap', 'participantId'));
  });

  it('gives examples of problems with their real status', () => {
    const { document } = api.service;
    const ofResponses = (responses: Readonly<Record<string, Documented>>) =>
      Object.entries(responses).map(([name, { content = {} }]) => [name, content['application/problem+json']] as const);
    const all = [
      ...ofResponses(document.components.responses),
      ...operationsOf(document).flatMap(({ operation }) => ofResponses(operation.responses)),
    ];
    for (const [name, content] of all) {
      if (content === undefined) continue;
      const values = Object.values(content.examples ?? {}).map(({ value }) => value);
      expect(values, name).not.to.be.empty;
      for (const { status, title } of values)
        expect(`${status}: ${title}`, name).to.match(new RegExp(`^${name.slice(-3)}: .`));
    }
  });

  it('distinguishes accepted from completed writes', () => {
    for (const { operation } of operationsOf(api.service.document)) {
      if (!('202' in operation.responses)) continue;
      for (const status of ['200', '201']) {
        const schema = operation.responses[status]?.content?.['application/json']?.schema;
        if (schema !== undefined) expect(resolved(schema).properties, operation.operationId).not.to.have.key('status');
      }
    }
  });
});
