import type { ComponentChildren } from 'preact';

interface TableBoxProps {
  /** What the table is of. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A table that scrolls by itself where it is wider than the page, with the keyboard, too. */
export function TableBox({ label, children }: TableBoxProps) {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}
