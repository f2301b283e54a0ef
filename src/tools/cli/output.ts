/** An output of a command, such as `process.stdout`. */
export interface Output {
  write(text: string): unknown;
  /** Whether it is a terminal: progress is then drawn as a bar in place, otherwise as plain lines. */
  readonly isTTY?: boolean | undefined;
}
