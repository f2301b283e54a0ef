import { useMemo } from 'preact/hooks';
import { qrCodeOf, type QrCode } from './qr-code.ts';

/** Light modules around a code, which readers need. */
const MARGIN = 4;

interface QrImageProps {
  readonly text: string;
  /** What it says, for those who do not see it. */
  readonly label: string;
}

/** A QR code with a text; nothing where the text is too long for one. */
export function QrImage({ text, label }: QrImageProps) {
  const code = useMemo(() => qrCodeOf(text), [text]);
  if (code === null) return null;
  return (
    <svg class="qr-code" viewBox={viewBoxOf(code)} role="img" aria-label={label} data-text={text}>
      <rect class="light" x={-MARGIN} y={-MARGIN} width="100%" height="100%" />
      <path class="dark" d={pathOf(code)} />
    </svg>
  );
}

function viewBoxOf(code: QrCode): string {
  const size = code.length + 2 * MARGIN;
  return `${-MARGIN} ${-MARGIN} ${size} ${size}`;
}

/** The dark modules as a path; each is a square of 1. */
function pathOf(code: QrCode): string {
  const squares = code.flatMap((cells, row) =>
    cells.flatMap((isDark, column) => (isDark ? [`M${column} ${row}h1v1h-1z`] : [])),
  );
  return squares.join('');
}
