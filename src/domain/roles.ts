/** What a key may do, lowest first; each role includes those before it (docs/interface.md#authentication-and-roles). */
export const ROLES = ['R', 'CR', 'CRUD', 'ADMIN'] as const;

export type Role = (typeof ROLES)[number];

/** Whether `role` is `needed` or higher. */
export function includesRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Who asks: the key of the request and its licence. */
export interface Caller {
  readonly apiKeyId: string;
  readonly licenseId: string;
  readonly role: Role;
  /**
   * True for a key that was issued to a rig: it manages no keys, whatever its role
   * (docs/interface.md#authentication-and-roles).
   */
  readonly ofRig: boolean;
}
