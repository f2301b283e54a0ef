import { changeRig, rigDecider, type Rig } from '../../../commands/rigs.ts';
import { rigQuery } from '../../../queries/rigs.ts';
import type { Write } from '../../domain/access.ts';
import { ROOT_LICENSE_ID, type Caller } from '../../domain/roles.ts';
import { reject, type Rejection } from '../../kernel/aggregate/rejection.ts';
import { rigSeatPart } from './rig-seats.ts';
import { rejectionOfMoveByOldToken, resource } from './resource.ts';

/**
 * Nobody but the operator and ADMIN moves the rig of another licence, also with `LICENSE_WALLS=off`: whoever moved it to
 * their own licence could then issue its key.
 */
function rejectionOfTaking({ role, licenseId: own }: Caller, { state, change }: Write<Rig>): Rejection | null {
  if (state === null || change.licenseId === undefined || change.licenseId === state.licenseId) return null;
  if (role === 'ADMIN' || own === ROOT_LICENSE_ID || own === state.licenseId) return null;
  return reject('NOT_YOURS', 'The rig of another licence is moved with an ADMIN key only.', '/licenseId');
}

/** A token that was replaced moves no rig. */
const rejectionOfMove = rejectionOfMoveByOldToken<Rig>('a rig');

export const rigResource = resource({
  path: '/api/v1/rigs',
  decider: rigDecider,
  query: rigQuery,
  create: null,
  change: changeRig,
  endsKeys: true,
  access: {
    read: 'R',
    write: 'CRUD',
    owner: { kind: 'license', field: 'licenseId' },
    rigKeys: { change: ['name', 'description'], rig: 'self' },
    // The keys of a rig end when it moves, and the new licence issues the next.
    rejectionOf: (caller, write) => rejectionOfTaking(caller, write) ?? rejectionOfMove(caller, write),
  },
  history: true,
  historyParts: [rigSeatPart],
  export: { name: 'rigs' },
});
