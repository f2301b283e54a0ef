const DAY = 86_400;

/** From so many seconds on, a time is shown in days and hours. */
const MOST_CLOCK = 2 * DAY;

/** Time until something, in ms: `4:05`, `1:04:05`, `3 d 4 h`. */
export function timeLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds >= MOST_CLOCK) return `${Math.floor(seconds / DAY)} d ${Math.floor((seconds % DAY) / 3_600)} h`;
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = two(seconds % 60);
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${two(minutes)}:${rest}`;
}
