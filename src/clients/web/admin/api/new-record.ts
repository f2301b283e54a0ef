import { folded } from '../../shared/fold.ts';
import { entered, type Draft, type Drafts } from './drafts.ts';
import type { Field } from './fields.ts';

/** What the form of a new record asks for first, in this order; everything else has defaults, and is under *More*. */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  Simulator: ['displayName'],
  Track: ['displayName', 'country', 'location'],
  TrackLayout: ['displayName', 'trackId', 'length'],
  CarBrand: ['displayName', 'country'],
  CarClass: ['displayName'],
  Car: ['modelName', 'brandId', 'carClassId'],
  Rig: ['name'],
  Brand: ['name', 'websiteUrl', 'logo'],
  Event: ['name', 'startsAt', 'endsAt', 'simulatorId', 'trackLayoutIds', 'carIds', 'rigIds', 'brandIds'],
};

/** Entries of mandatory fields of new records that the API document has no default for. */
const PRESETS: Readonly<Record<string, Drafts>> = {
  TrackLayout: { type: 'PERMANENT_ROAD', lastUsage: '-1', cornerCount: '0' },
};

/** The fields whose entries follow from the name, each by the name of its resource. */
const FROM_NAME: Readonly<Record<string, readonly string[]>> = {
  Simulator: ['slug'],
  Track: ['slug'],
  TrackLayout: ['slug'],
  CarBrand: ['slug'],
  CarClass: ['shortName'],
  Rig: ['hardwareId'],
  Event: ['slug'],
};

/** Fields that name a record, the first that a body has. */
export const NAME_FIELDS: readonly string[] = ['displayName', 'name', 'modelName'];

/** Whether a new record of a resource takes so few entries that a dialog can ask for them. */
export function isBrief(resource: string): boolean {
  return ASKED[resource] !== undefined;
}

/** The fields of a form of a new record. */
export interface NewRecordFields {
  readonly asked: readonly Field[];
  readonly more: readonly Field[];
}

/** @param drafts the entries that the form begins with */
export function newRecordFields(resource: string, fields: readonly Field[], drafts: Drafts): NewRecordFields {
  const names = ASKED[resource];
  if (names === undefined) return { asked: fields, more: [] };
  const first = names.flatMap((name) => fields.filter((field) => field.name === name));
  const follows = FROM_NAME[resource] ?? [];
  const isMissing = (field: Field): boolean =>
    !follows.includes(field.name) && 'fault' in entered(field, drafts[field.name] ?? '', undefined);
  const others = fields.filter((field) => !first.includes(field));
  return { asked: [...first, ...others.filter(isMissing)], more: others.filter((field) => !isMissing(field)) };
}

/** The entries that the form of a new record begins with, beside the defaults of the API document. */
export function presetDrafts(resource: string, year: number): Drafts {
  const presets = PRESETS[resource] ?? {};
  return resource === 'TrackLayout' ? { ...presets, firstUsage: String(year) } : presets;
}

/**
 * The entries of a form of a new record, with those that follow from its name, unless somebody has made them.
 * @param made names of the fields in which somebody has made an entry
 * @param mark letters and digits that no other form has: they stand for a name that has none, and tell devices apart
 */
export function withDerived(
  resource: string,
  fields: readonly Field[],
  drafts: Drafts,
  made: ReadonlySet<string>,
  mark: string,
): Drafts {
  const nameField = NAME_FIELDS.find((name) => fields.some((field) => field.name === name)) ?? '';
  const name = textIn(drafts[nameField]);
  const derived: Record<string, Draft> = { ...drafts };
  for (const field of fields) {
    if (made.has(field.name) || FROM_NAME[resource]?.includes(field.name) !== true) continue;
    derived[field.name] = name.trim() === '' ? '' : entryFor(field, name, mark);
  }
  return derived;
}

function textIn(draft: Draft | undefined): string {
  return typeof draft === 'string' ? draft : '';
}

function entryFor(field: Field, name: string, mark: string): string {
  const { most = Infinity } = field;
  if (field.name === 'shortName') return Array.from(name.trim()).slice(0, most).join('');
  if (field.name === 'hardwareId') return [slugOf(name, field), mark].filter(Boolean).join('-');
  return slugOf(name, field) || mark;
}

/** A short name for addresses: `spa-francorchamps`; empty if a name has too few letters and digits of the alphabet for it. */
export function slugOf(name: string, { least = 0, most = Infinity }: Pick<Field, 'least' | 'most'>): string {
  const words = folded(name)
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const slug = words.slice(0, most).replace(/-$/, '');
  return slug.length < least ? '' : slug;
}
