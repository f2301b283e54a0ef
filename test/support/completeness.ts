import type { BootCompleteness, RigCompleteness } from '../../queries/completeness.ts';

/** A numbered lap and its position in the history. */
export interface Came {
  readonly rigId: string;
  readonly boot: string;
  readonly number: number;
  readonly eventId: string;
  readonly place: number;
  readonly at: string;
}

/** A rig's announcement about a boot. */
export interface Said {
  readonly rigId: string;
  readonly boot: string;
  readonly upTo: number;
  readonly at: string;
}

/** What a history says of numbered laps. */
export interface Numbered {
  readonly laps: readonly Came[];
  readonly said: readonly Said[];
}

/** The missing numbers from 1 to `last`, as ranges. */
function rangesOf(last: number, isMissing: (number: number) => boolean): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (let number = 1; number <= last; number += 1) {
    const open = ranges.at(-1);
    if (!isMissing(number)) continue;
    if (open?.[1] === number - 1) open[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}

/** One boot by the simplest algorithm. `own`: the requested laps; `all`: all laps. */
function plainBoot(boot: string, { all, own, upTo }: { all: readonly Came[]; own: readonly Came[]; upTo: number }) {
  const numbers = [...new Set(own.map(({ number }) => number))].toSorted((a, b) => a - b);
  const firstPlace = (number: number): number =>
    Math.min(...all.filter((lap) => lap.number === number).map(({ place }) => place));
  const missing = rangesOf(Math.max(upTo, ...numbers), (number) => firstPlace(number) === Infinity);
  const isLate = (number: number): boolean => all.some((lap) => lap.number > number && lap.place < firstPlace(number));
  const missed = missing.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const result: BootCompleteness = {
    boot,
    received: numbers.length,
    expected: numbers.length + missed,
    missing,
    late: numbers.filter(isLate),
    conflicts: numbers.filter((number) => all.filter((lap) => lap.number === number).length > 1),
  };
  return result;
}

/** The expected boots of a rig, for an event or (null) for all. */
export function plainRig({ laps, said }: Numbered, rigId: string, eventId: string | null): RigCompleteness {
  const ofRig = laps.filter((lap) => lap.rigId === rigId);
  const own = ofRig.filter((lap) => eventId === null || lap.eventId === eventId);
  const announced = eventId === null ? said.filter((one) => one.rigId === rigId) : [];
  const moments = [...own, ...announced].toSorted((a, b) => (`${a.at} ${a.boot}` < `${b.at} ${b.boot}` ? -1 : 1));
  const of = <T extends { readonly boot: string }>(items: readonly T[], boot: string): readonly T[] =>
    items.filter((item) => item.boot === boot);
  const boots = [...new Set(moments.map(({ boot }) => boot))].map((boot) =>
    plainBoot(boot, {
      all: of(ofRig, boot),
      own: of(own, boot),
      upTo: Math.max(0, ...of(announced, boot).map(({ upTo }) => upTo)),
    }),
  );
  return { rigId, boots };
}
