import type { ComponentChildren, VNode } from 'preact';

interface TableProps {
  readonly label: string;
  /** The text or the cell of each heading; left out: there are none. */
  readonly headings?: readonly (string | VNode)[];
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A table in a container in which it scrolls if it is wide, also with the keyboard. */
export function Table({ label, headings = [], children, ...rest }: TableProps) {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={label}>
      <table {...rest}>
        {headings.length > 0 && (
          <thead>
            <tr>
              {headings.map((heading) =>
                typeof heading === 'string' ? (
                  <th key={heading} scope="col">
                    {heading}
                  </th>
                ) : (
                  heading
                ),
              )}
            </tr>
          </thead>
        )}
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
