import type { Json } from '../json.ts';
import { DamagedStore } from '../ports/errors.ts';
import type { Cipher } from '../ports/personal-keys.ts';
import type { PersonalValue } from './personal-values.ts';

/** The only field of what stands for a value that is sealed. */
const SEALED = '$sealed';

/** Beginning of a text that stands for one that is sealed; no fingerprint begins with it. */
const SEALED_TEXT = '$sealed:';

/** Seals a value: what is stored in its place. */
export function sealValue(cipher: Cipher, key: Uint8Array, personal: PersonalValue): Json {
  const sealed = cipher.seal(key, JSON.stringify(personal.value), boundOf(personal));
  return isMetadata(personal) ? `${SEALED_TEXT}${sealed}` : { [SEALED]: sealed };
}

/** The sealed text of a stored value; null: it is stored as it is. */
export function sealedTextOf(personal: PersonalValue): string | null {
  const { value } = personal;
  if (isMetadata(personal)) {
    return typeof value === 'string' && value.startsWith(SEALED_TEXT) ? value.slice(SEALED_TEXT.length) : null;
  }
  if (typeof value !== 'object' || value === null || !(SEALED in value)) return null;
  const text = value[SEALED];
  return typeof text === 'string' && Object.keys(value).length === 1 ? text : null;
}

/** Opens a sealed text. @throws {DamagedStore} when it was not sealed by this key for this place. */
export function openValue(cipher: Cipher, key: Uint8Array, sealed: string, personal: PersonalValue): Json {
  const text = cipher.open(key, sealed, boundOf(personal));
  if (text === null) {
    const { field, eventId, stream } = personal;
    const where = `the field ${field} of event ${eventId} of ${stream}`;
    throw new DamagedStore(`${where} cannot be decrypted: it was changed, or the key store is of another event store`);
  }
  // `sealValue` made it of JSON.
  return JSON.parse(text) as Json;
}

/** The place that a sealed value belongs to: it opens nowhere else. */
function boundOf({ stream, eventId, field }: PersonalValue): string {
  return JSON.stringify([stream, eventId, field]);
}

function isMetadata({ field }: PersonalValue): boolean {
  return field.startsWith('metadata.');
}
