import { z } from 'zod';
import { Text } from '../../domain/facts.ts';
import { eventType } from '../../kernel/event-types.ts';

/** Personal data left the service: from here on, an erasure does not reach them. */
const Copied = z.object({
  /** `backup` or `export`. */
  what: Text,
  /** Where they went: a directory or a file; of a download, the address of the client. */
  where: Text,
  /** User of the operating system who ran the command; null: the key in the metadata asked for it. */
  by: Text.nullable(),
});

/** The events of the stream of copies. No read model is made of them: certificates of erasures read the stream. */
export const copyEvents = { PersonalDataCopied: eventType(Copied) };

/** Name of the stream of copies: there is one. */
export const COPIES_STREAM = 'personalDataCopies-all';
