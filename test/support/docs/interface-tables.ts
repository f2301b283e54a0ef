import { onePath, resourceName } from '../../../src/service/api/naming.ts';
import type { Resource } from '../../../src/service/resources/resource.ts';
import { plainSchema, type OpenApi, type Operation, type Schema } from '../api/openapi.ts';
import { markdownTable } from './markdown.ts';
import { isNullable, refName, typeWords } from './type-words.ts';

/** The fields, sorts and filters of a resource, as docs/interface.md shows them. */
export function tablesOfResource(document: OpenApi, resource: Resource): string {
  const shapes = shapesOf(document, resource);
  const lists = [sortsOf(document, resource), filtersOf(document, resource)];
  return [namesOf(shapes), fieldsOf(document, shapes), ...lists].filter((text) => text !== '').join('\n');
}

/** Names of the schemas of a resource: its view, and the JSON bodies that create and change it; empty: there is none. */
interface Shapes {
  readonly shown: string;
  readonly create: string;
  readonly change: string;
}

function shapesOf(document: OpenApi, resource: Resource): Shapes {
  const change = bodyOf(document.paths[onePath(resource)]?.['patch']);
  return { shown: resourceName(resource.query), create: bodyOf(document.paths[resource.path]?.['post']), change };
}

function bodyOf(operation: Operation | undefined): string {
  return refName(operation?.requestBody?.content['application/json']?.schema.$ref);
}

function namesOf({ shown, create, change }: Shapes): string {
  const names = [shown, create, change].filter((name) => name !== '');
  return `Schemas: ${names.map((name) => `\`${name}\``).join(', ')}\n`;
}

const FIELD_HEADER = ['Field', 'Shown', 'Create', 'Change', 'Type', 'What it is'];

function fieldsOf(document: OpenApi, names: Shapes): string {
  const { schemas } = document.components;
  const [shown, create, change] = [names.shown, names.create, names.change].map((name) => {
    const schema = schemas[name];
    if (schema === undefined && name !== '') throw new Error(`the OpenAPI document has no schema ${name}`);
    return schema;
  });
  const rows = orderOf(shown, { ...change?.properties, ...create?.properties }).map((field) => {
    const [inAnswers, inCreate, inChange] = [shown, create, change].map((schema) => {
      const property = schema?.properties?.[field];
      return property && plainSchema(document, property);
    });
    const described = inCreate ?? inChange ?? inAnswers ?? {};
    return [
      `\`${field}\``,
      inAnswers === undefined ? shownAs(described) : 'yes',
      needOf(create, field),
      needOf(change, field),
      typesIn({ inAnswers, inCreate, inChange }),
      described.description ?? '',
    ];
  });
  return markdownTable(FIELD_HEADER, rows);
}

/** The shown fields in order. Fields that are only sent precede their shown form, or the times. */
function orderOf(shown: Schema | undefined, sent: Readonly<Record<string, Schema>>): readonly string[] {
  const fields = Object.keys(shown?.properties ?? {});
  const place = (schema: Schema): string => schema['x-shown-as'] ?? 'createdAt';
  const added = Object.entries(sent).filter(([name]) => !fields.includes(name));
  return fields.flatMap((field) => [...added.flatMap(([name, s]) => (place(s) === field ? [name] : [])), field]);
}

/** The name under which a sent field is shown. */
function shownAs({ 'x-shown-as': name }: Schema): string {
  return name === undefined ? '' : `as \`${name}\``;
}

function needOf(body: Schema | undefined, field: string): string {
  if (body?.properties?.[field] === undefined) return '';
  return body.required?.includes(field) === true ? 'required' : 'optional';
}

/** The schemas of one field. */
interface Appearances {
  readonly inAnswers: Schema | undefined;
  readonly inCreate: Schema | undefined;
  readonly inChange: Schema | undefined;
}

/** The type in requests, and other types in changes or answers. */
function typesIn({ inAnswers, inCreate, inChange }: Appearances): string {
  const sent = inCreate ?? inChange;
  if (sent === undefined) return typeWords(inAnswers ?? {});
  const [type, changed] = [typeWords(sent), typeWords(inChange ?? sent)];
  const shownNull = inAnswers !== undefined && isNullable(inAnswers) && !isNullable(sent);
  return `${type}${changed === type ? '' : `; to change: ${changed}`}${shownNull ? '; in answers also null' : ''}`;
}

/** Sorts of its lists, and whether they hide disabled resources. */
function sortsOf(document: OpenApi, { path, query }: Resource): string {
  const hides = query.hidesDisabled ? ' Lists leave out what is disabled.' : '';
  const sort = parametersOf(document, document.paths[`${path}/paged`]?.['get']).get('sort');
  if (sort === undefined) return `There is no paged list.${hides}\n`;
  const others = (sort['x-sortable'] ?? []).filter((field) => field !== sort.default);
  const names = others.map((field) => `\`${field}\``).join(', ');
  return `Default sort: \`${String(sort.default)}\`. Other sorts: ${names}.${hides}\n`;
}

function filtersOf(document: OpenApi, { path, query }: Resource): string {
  const parameters = parametersOf(document, document.paths[path]?.['get']);
  const rows = Object.keys(query.filters).map((name) => {
    const schema = parameters.get(name);
    if (schema === undefined) throw new Error(`${path} has no parameter ${name}`);
    return [`\`${name}\``, typeWords(schema), schema.description ?? ''];
  });
  return rows.length === 0 ? '' : markdownTable(['Filter', 'Type', 'Finds'], rows);
}

function parametersOf(document: OpenApi, operation: Operation | undefined): ReadonlyMap<string, Schema> {
  const parameters = operation?.parameters ?? [];
  return new Map(parameters.map(({ name = '', schema = {} }) => [name, plainSchema(document, schema)]));
}
