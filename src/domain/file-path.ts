/** Folder of an uploaded file, and its name below that. */
export interface FilePath {
  readonly type: string;
  readonly name: string;
}

/** The key of a file, by which other resources refer to it: `TRACK/spa/logo.svg`. */
export function fileKeyOf({ type, name }: FilePath): string {
  return `${type}/${name}`;
}
