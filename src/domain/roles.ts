/** The roles of keys, lowest first; each includes those before it (docs/interface.md#authentication-and-roles). */
export const ROLES = ['R', 'CR', 'CRUD', 'ADMIN'] as const;

export type Role = (typeof ROLES)[number];

/**
 * Who may call an endpoint: anyone, or a key of this role or higher. With `public`, a valid key is still recognised and
 * an invalid one ignored.
 */
export type Access = 'public' | Role;

/** The licence of the operator. Its id is fixed, so that two nodes that start at the same time create one. */
export const ROOT_LICENSE_ID = '00000000-0000-7000-8000-000000000001';

export function includesRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The caller: the key of the request and its licence. */
export interface Caller {
  readonly apiKeyId: string;
  readonly licenseId: string;
  readonly role: Role;
  /** The rig that the key was issued to: it manages no keys, whatever its role; null for other keys. */
  readonly rigId: string | null;
  /**
   * True for a key of a rig that may do no more than a rig needs; its `role` is R then
   * (docs/interface.md#authentication-and-roles).
   */
  readonly ofRigOnly: boolean;
  /** True if the token was replaced and is in its grace period: it manages no keys, licences or keys of rigs. */
  readonly ofOldToken: boolean;
}
