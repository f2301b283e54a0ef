import { BUILT_IN_VERSION, READ_MODEL_VERSIONS, REMOVED_READ_MODELS, sumOfVersions } from '../resources/built-in.ts';

/** The versions of the read models of a generation. */
export interface ModelVersions {
  /** Their sum, as `BUILT_IN_VERSION`; 0 where it is not known. */
  readonly version: number;
  /** Versions by read model; absent where an earlier release has made the generation, or written its state. */
  readonly models?: Readonly<Record<string, number>> | undefined;
}

/** The versions of this release. */
export const OWN_VERSIONS: ModelVersions = { version: BUILT_IN_VERSION, models: READ_MODEL_VERSIONS };

/**
 * What read models are to a release. `other`: some are older, some newer; another line of releases has made them.
 */
export type VersionOrder = 'same' | 'older' | 'newer' | 'other';

/**
 * Compares the versions of read models with those of a release. Where only their sum is known, they count as older, as
 * nobody can say which they are; except where it is greater than that of the release.
 */
export function orderOf(made: ModelVersions, own: ModelVersions = OWN_VERSIONS): VersionOrder {
  const differing = differencesOf(made, own);
  if (differing === null) return made.version > own.version ? 'newer' : 'older';
  const isOlder = differing.some(({ from, to }) => from < to);
  const isNewer = differing.some(({ from, to }) => from > to);
  if (isOlder && isNewer) return 'other';
  if (isOlder) return 'older';
  return isNewer ? 'newer' : 'same';
}

/** The read models whose versions differ, 0: there is none of the name; null where only the sum is known. */
export function differencesOf({ version, models }: ModelVersions, own: ModelVersions = OWN_VERSIONS) {
  // An earlier release that has changed the state leaves versions that are not its own.
  if (models === undefined || sumOfVersions(models) !== version) return null;
  const ofRelease = own.models ?? {};
  return [...new Set([...Object.keys(models), ...Object.keys(ofRelease)])]
    .filter((name) => !REMOVED_READ_MODELS.includes(name))
    .map((name) => ({ name, from: models[name] ?? 0, to: ofRelease[name] ?? 0 }))
    .filter(({ from, to }) => from !== to);
}
