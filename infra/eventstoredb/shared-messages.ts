/* Numbers of the fields of messages of EventStoreDB's protocol that requests and responses share, and what events say in them. */

export const STREAM_NAME = 3;
export const UUID = { halves: 1, text: 2 } as const;

/** A property of an event: its type is one, and the type of its contents. */
export const PROPERTY = { key: 1, value: 2 } as const;
export const EVENT_TYPE = 'type';
export const CONTENT_TYPE = 'content-type';
export const JSON_CONTENT = 'application/json';
