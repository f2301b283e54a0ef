import { useMemo } from 'preact/hooks';
import { memo } from '../shared/hooks.ts';
import { publicAddress, t } from '../shared/page.ts';
import { qrCodeOf, type QrCode } from '../shared/qr-code.ts';
import say from '../texts/board.json' with { type: 'json' };

/** Light modules around a code, which readers need. */
const MARGIN = 4;

/** Hosts by which a machine means itself. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** A QR code with the address of the board of an event, for phones. */
export const PhoneCode = memo(({ eventId }: { readonly eventId: string }) => {
  const address = publicAddress(`/events/${eventId}`);
  const code = useMemo(() => qrCodeOf(address), [address]);
  const { hostname, host } = new URL(address);
  if (code === null) return null;
  const isReachable = !LOOPBACK.test(hostname);
  return (
    <section class="phone-code panel">
      <h2>{t(say.onPhone)}</h2>
      {isReachable ? (
        <svg viewBox={viewBoxOf(code)} role="img" aria-label={t(say.codeOf, { address })} data-address={address}>
          <rect class="light" x={-MARGIN} y={-MARGIN} width="100%" height="100%" />
          <path class="dark" d={pathOf(code)} />
        </svg>
      ) : (
        <p class="quiet">{t(say.notForPhones, { host })}</p>
      )}
    </section>
  );
});

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
