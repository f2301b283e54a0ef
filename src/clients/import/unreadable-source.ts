/** Thrown when a file, folder or archive cannot be read; the message begins with its path. */
export class UnreadableSource extends Error {
  override readonly name = 'UnreadableSource';
  readonly path: string;
  readonly reason: string;

  constructor(path: string, reason: string, options: ErrorOptions = {}) {
    super(`${path} cannot be read: ${reason}`, options);
    this.path = path;
    this.reason = reason;
  }
}
