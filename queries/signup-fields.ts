import { z } from 'zod';
import { FIELD_TYPES } from '../commands/signup-fields.ts';
import { signupFields } from '../projections/signup-fields.ts';
import { instant, json, jsonObjectOrNull, uuid } from '../src/domain/fields.ts';
import { query } from '../src/domain/query.ts';

const SignupFieldView = z
  .object({
    id: uuid,
    eventId: uuid,
    eventName: z.string(),
    fieldKey: z.string(),
    label: z.string(),
    description: z.string().nullable(),
    type: z.enum(FIELD_TYPES),
    required: z.boolean(),
    sortOrder: z.number().nullable(),
    optionsJson: json,
    defaultJson: json,
    i18nJson: jsonObjectOrNull,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'SignupField' });

export const signupFieldQuery = query(signupFields, { view: SignupFieldView, defaultSort: 'sortOrder' });
