import { memo } from '../shared/hooks.ts';
import { publicAddress, t } from '../shared/page.ts';
import { QrImage } from '../shared/qr-image.tsx';
import say from '../texts/board.json' with { type: 'json' };

/** Hosts by which a machine means itself. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** A QR code with the address of the board of an event, for phones. */
export const PhoneCode = memo(({ eventId }: { readonly eventId: string }) => {
  const address = publicAddress(`/events/${eventId}`);
  const { hostname, host } = new URL(address);
  const isReachable = !LOOPBACK.test(hostname);
  return (
    <section class="phone-code panel">
      <h2>{t(say.onPhone)}</h2>
      {isReachable ? (
        <QrImage text={address} label={t(say.codeOf, { address })} />
      ) : (
        <p class="quiet">{t(say.notForPhones, { host })}</p>
      )}
    </section>
  );
});
