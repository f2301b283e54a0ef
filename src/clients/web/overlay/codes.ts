import type { Row } from '../live/messages.ts';

const LENGTH = 3;

/** The letters of a word, in capitals, without marks between them. */
function lettersOf(word: string): readonly string[] {
  const letters = word.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '').toLocaleUpperCase();
  return Array.from(new Intl.Segmenter().segment(letters), ({ segment }) => segment);
}

/** What a name may be shortened to, the best first: of Matteo Bellandi, BEL, MBE, MAB, MAT. */
function candidatesOf(name: string): readonly string[] {
  const words = name.trim().split(/\s+/u).map(lettersOf);
  const family = words.at(-1) ?? [];
  const given = words.length > 1 ? (words[0] ?? []) : [];
  const candidates: string[] = [];
  for (let ofGiven = 0; ofGiven <= LENGTH; ofGiven += 1) {
    candidates.push([...given.slice(0, ofGiven), ...family.slice(0, LENGTH - ofGiven)].join(''));
  }
  return candidates;
}

/**
 * Codes of three letters for the drivers of a board, by their ids, as different as their names allow. They do not depend
 * on the order of the board.
 */
export function codesOf(
  drivers: readonly Pick<Row, 'participantId' | 'participantName'>[],
): ReadonlyMap<string, string> {
  const codes = new Map<string, string>();
  const taken = new Set<string>();
  const inOrder = [...drivers].sort((a, b) => (a.participantId < b.participantId ? -1 : 1));
  for (const { participantId, participantName } of inOrder) {
    const candidates = candidatesOf(participantName);
    const code = candidates.find((candidate) => !taken.has(candidate)) ?? candidates[0] ?? '';
    taken.add(code);
    codes.set(participantId, code);
  }
  return codes;
}
