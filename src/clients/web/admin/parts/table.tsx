import type { ComponentChildren, VNode } from 'preact';

interface TableBoxProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A container in which a wide table scrolls, also with the keyboard. */
export function TableBox({ label, children }: TableBoxProps) {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}

interface TableProps extends TableBoxProps {
  /** The text or the cell of each heading. */
  readonly headings: readonly (string | VNode)[];
  readonly class?: string;
}

export function Table({ headings, label, children, ...rest }: TableProps) {
  return (
    <TableBox label={label}>
      <table {...rest}>
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
        <tbody>{children}</tbody>
      </table>
    </TableBox>
  );
}
