interface Properties {
  readonly name: string;
  /** What tells it apart from equal ones on the page, if there are any; that is never cut. */
  readonly apart: string | undefined;
}

/** The parts of the name of a person: the last word, and what is before it, which becomes shorter where there is no room. */
const PARTS = /^(.*\S)(\s+)(\S+\s*)$/su;

/** A first name with so few letters is not shortened. */
const FEW_LETTERS = 3;

/** The name of a person: the last word stays whole as long as it fits. */
export function Who({ name, apart }: Properties) {
  const [, given, gap, family] = PARTS.exec(name) ?? [];
  if (given === undefined || family === undefined) return <Named name={name} apart={apart} />;
  const isShort = Array.from(given).length <= FEW_LETTERS;
  return (
    <span class="who">
      <bdi class="name person">
        <span class={isShort ? 'given' : 'given long'}>{given}</span>
        {gap}
        <span class="family">{family}</span>
      </bdi>
      {apart !== undefined && <span class="apart">{apart}</span>}
    </span>
  );
}

/** The name of a thing; it is cut at its end where there is no room. */
export function Named({ name, apart }: Properties) {
  return (
    <span class="who">
      <bdi class="name">{name}</bdi>
      {apart !== undefined && <span class="apart">{apart}</span>}
    </span>
  );
}
