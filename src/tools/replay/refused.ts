/** Why a replay cannot continue, as a message for its user. */
export class ReplayRefused extends Error {
  override readonly name = 'ReplayRefused';
}
