/** What the bench uses of `node:sqlite`, which Node 22.5 and later have; the types of Node 20 lack it. */
declare module 'node:sqlite' {
  export type Value = string | number | bigint | null;

  export interface Statement {
    run(...values: Value[]): unknown;
    get(...values: Value[]): Record<string, Value> | undefined;
    all(...values: Value[]): Record<string, Value>[];
  }

  export class DatabaseSync {
    constructor(path: string);
    exec(sql: string): void;
    prepare(sql: string): Statement;
    close(): void;
  }
}
