/** Why a replay cannot go on, in words for whoever runs it. */
export class ReplayRefused extends Error {
  override readonly name = 'ReplayRefused';
}
