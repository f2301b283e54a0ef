/** Loaded first, it gives a process sponsors: the lists of the product are replaced by those in this folder. */
import { register } from 'node:module';
import { extname } from 'node:path';

register(new URL(`./hooks${extname(import.meta.url)}`, import.meta.url));
