import type { Draft } from '../api/drafts.ts';
import type { Field } from '../api/fields.ts';

/** A field of a form, and what has been entered in it. */
export interface FieldProps {
  readonly field: Field;
  readonly draft: Draft;
  /** What is wrong with the entry; empty: nothing. */
  readonly fault: string;
  readonly onChange: (draft: Draft) => void;
}

/** Properties of an input. */
export interface InputProps extends FieldProps {
  readonly id: string;
  readonly describedBy: string | undefined;
}
