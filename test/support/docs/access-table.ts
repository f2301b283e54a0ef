import { onePath } from '../../../src/service/api/endpoint-base.ts';
import type { Resource } from '../../../src/service/resources/resource.ts';
import type { JsonObject } from '../../../src/kernel/json.ts';
import type { OpenApi } from '../api/openapi.ts';
import { markdownTable } from './markdown.ts';

const HEADER = [
  'Resource',
  'Read by',
  'Written by',
  'Owner',
  'Parent',
  'Key of a rig may',
  'Unique',
  'History',
  'Export',
];

/** Roles, ownership, unique keys and histories of each resource. */
export function accessTable(document: OpenApi, resources: readonly Resource[]): string {
  const rows = resources.map((resource) => [
    `\`${resource.path.replace('/api/v1/', '')}\``,
    readersOf(resource),
    writersOf(document, resource),
    ownerOf(resource),
    parentsOf(resource),
    rigKeysOf(resource),
    uniqueOf(resource),
    resource.history ? 'yes' : '',
    exportOf(resource),
  ]);
  return markdownTable(HEADER, rows);
}

function readersOf({ access: { read } }: Resource): string {
  if (read === 'people') return '`R`; public with `PUBLIC_PARTICIPANTS=true`';
  return read === 'public' ? 'public' : `\`${read}\``;
}

/** The role in the declaration; a special endpoint may create with another role. */
function writersOf({ paths }: OpenApi, { path, access: { write } }: Resource): string {
  const create = paths[path]?.['post']?.['x-role'] ?? write;
  return create === write ? `\`${write}\`` : `\`${create}\` to create, \`${write}\` to change`;
}

function ownerOf({ access: { owner } }: Resource): string {
  const creator = 'the licence whose key created it';
  switch (owner.kind) {
    case 'creator':
      return creator;
    case 'license': {
      const also = owner.orCreator === undefined ? '' : `; ${creator}, until another licence or ADMIN changes it`;
      const venue = owner.orField === undefined ? '' : '; the licence whose key checked it in';
      return `the licence in \`${owner.field}\`${also}${venue}`;
    }
    case 'parent':
      return `the owner of the ${owner.category} in \`${owner.field}\``;
    case 'self':
      return 'itself';
  }
}

function parentsOf({ access: { parents = [] } }: Resource): string {
  return parents
    .map(
      ({ field, category, admits }) =>
        `${category} in \`${field}\`${admits === undefined ? '' : ', unless it admits the resource'}`,
    )
    .join(', ');
}

function rigKeysOf({ access: { rigKeys } }: Resource): string {
  if (rigKeys === undefined) return '';
  const { create, change, rig } = rigKeys;
  const fields = change === undefined || change === 'all' ? [] : change.map((field) => `\`${field}\``);
  const verbs: string[] = [];
  if (create === true) verbs.push('create');
  if (change !== undefined) verbs.push(`change ${fields.join(', ')}`.trim());
  const where = rig === undefined ? '' : rig === 'self' ? ': its own' : `: with its rig in \`${rig}\``;
  return `${verbs.join(', ')}${where}`;
}

/** The fields of a unique key; those of a mapping are in its path. */
function uniqueOf(resource: Resource): string {
  const { decider, duplicate, remove } = resource;
  const path = remove === undefined ? [] : [...onePath(resource).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const fields = decider.claim === null ? path : fieldsReadBy(decider.claim.key);
  const words = fields.map((field) => `\`${field}\``).join(' and ');
  return duplicate === 'returned' ? `${words}; a second \`POST\` gets the first` : words;
}

/** The fields of a state that a function reads. */
function fieldsReadBy(read: (state: JsonObject) => unknown): readonly string[] {
  const fields = new Set<string>();
  const state = new Proxy<JsonObject>(
    {},
    {
      get: (_, field) => {
        fields.add(String(field));
        return 'a value';
      },
    },
  );
  read(state);
  return [...fields];
}

function exportOf(resource: Resource): string {
  if (resource.export === null) return '';
  const { name, without = [] } = resource.export;
  const left = without.map((field) => `\`${field}\``).join(', ');
  return `\`${name}\`${left === '' ? '' : ` without ${left}`}`;
}
