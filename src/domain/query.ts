import { z } from 'zod';
import type { Visible } from '../kernel/documents.ts';
import type { ReadModel } from '../kernel/projection.ts';
import type { Document, ReadModels } from '../kernel/read-store.ts';

const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'enum']);

/** What clients may ask of a read model. */
export interface Query<D extends Document = Document> {
  readonly model: ReadModel<D>;
  /** The shape that is shown. */
  readonly view: z.ZodObject;
  /** Fields that lists may be sorted by: every scalar field of the view. */
  readonly sortable: readonly string[];
  readonly defaultSort: string;
  /** Whether lists leave out documents whose `enabled` is false, unless asked for (DESIGN §5). */
  readonly hidesDisabled: boolean;
  /** Adds what the view shows from other read models. */
  readonly extend: ((document: Visible<D>, models: ReadModels) => Promise<object>) | null;
}

/** Declares what clients may ask of a read model. */
export function query<D extends Document>(
  model: ReadModel<D>,
  options: {
    readonly view: z.ZodObject;
    readonly defaultSort: keyof Visible<D> & string;
    readonly hidesDisabled?: boolean;
    readonly extend?: (document: Visible<D>, models: ReadModels) => Promise<object>;
  },
): Query<D> {
  const { view, defaultSort, hidesDisabled = false, extend = null } = options;
  return { model, view, sortable: scalarFields(view), defaultSort, hidesDisabled, extend };
}

function scalarFields(view: z.ZodObject): readonly string[] {
  return Object.entries(view.shape).filter(([, field]) => isScalar(field)).map(([name]) => name);
}

function isScalar(field: z.core.$ZodType): boolean {
  if (field instanceof z.ZodNullable || field instanceof z.ZodOptional) return isScalar(field.unwrap());
  return SCALARS.has(field._zod.def.type);
}
