import { useEffect, useState } from 'preact/hooks';

/** The time, in ms of the page's clock; a component that uses it renders again every second. */
export function useNow(): number {
  const [now, show] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => show(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
