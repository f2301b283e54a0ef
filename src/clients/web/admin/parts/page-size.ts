import { useState } from 'preact/hooks';

/** Records per page to choose from. */
export const PAGE_SIZES = [20, 50, 100, 200] as const;

export type PageSize = (typeof PAGE_SIZES)[number];

/** Where this browser remembers the choice. */
const STORED = 'page-size';

function remembered(): PageSize {
  try {
    const stored = Number(localStorage.getItem(STORED));
    return PAGE_SIZES.find((size) => size === stored) ?? PAGE_SIZES[0];
  } catch {
    // The browser stores nothing.
    return PAGE_SIZES[0];
  }
}

/** The number of records per page that was chosen last in this browser, and how to choose another one. */
export function usePageSize(): readonly [PageSize, (size: PageSize) => void] {
  const [size, setSize] = useState(remembered);
  const choose = (chosen: PageSize): void => {
    setSize(chosen);
    try {
      localStorage.setItem(STORED, String(chosen));
    } catch {
      // No storage: it is remembered until the page is left.
    }
  };
  return [size, choose];
}
