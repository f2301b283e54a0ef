/** What a header such as `Accept` asks for, and how much each is liked, from 0 to 1; what cannot be read is not wanted. */
export function qualitiesOf(header: string): ReadonlyMap<string, number> {
  return new Map(header.split(',').map(qualityOf));
}

function qualityOf(item: string): readonly [string, number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((one) => one.startsWith('q='));
  const value = quality === undefined ? 1 : Number(quality.slice(2));
  return [name, value >= 0 && value <= 1 ? value : 0];
}
