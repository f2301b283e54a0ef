/** How the token of a first key is announced, on standard error. */
export const ANNOUNCED = /^ {2}(srt_\S+)$/m;

/**
 * What no log, problem, health or metrics may show, as the tests' venues have it (test/support/api/venue.ts): personal
 * data, tokens and their hashes, licence keys, and signatures of licence files.
 */
const CANARIES: Readonly<Record<string, RegExp>> = {
  'a name': /\bAda\b|\bRacer\b/,
  'an e-mail address': /ada@example\.org/,
  'a phone number': /\+49 30 1/,
  'an extra field': /canary/i,
  'a token': /srt_[\w-]{8}_[\w-]{12,}|root-token-of-the/,
  'the hash of a token': /tokenHash"?[:=]\s*"(?!\*\*\*)/,
  'a licence key': /\blic_[\w-]{20,}/,
  'a signature': /\beyJ[\w-]{20,}/,
};

/**
 * Fails when a text shows what it must not. The announcement of the first key, which is made for it, is left out.
 * @throws {Error} naming what is shown, with its surroundings
 */
export function expectNoCanary(text: string, where: string): void {
  const said = text.replace(new RegExp(ANNOUNCED, 'gm'), '');
  for (const [what, pattern] of Object.entries(CANARIES)) {
    const at = said.search(pattern);
    if (at >= 0) throw new Error(`${where} shows ${what}: ${said.slice(Math.max(0, at - 200), at + 100)}`);
  }
}
