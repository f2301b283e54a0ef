import type { FunctionComponent } from 'preact';
import type { Text } from '../../shared/language.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import desk from '../../texts/desk.json' with { type: 'json' };
import imports from '../../texts/imports.json' with { type: 'json' };
import overlay from '../../texts/overlay.json' with { type: 'json' };
import tonight from '../../texts/tonight.json' with { type: 'json' };
import type { Session } from '../session.ts';
import { CataloguePage } from './catalogue.tsx';
import { CheckInPage } from './check-in.tsx';
import { ImportsPage } from './imports.tsx';
import { NightPage } from './night.tsx';
import { OperationsPage } from './operations.tsx';
import { OverlayPage } from './overlay.tsx';
import { ReviewPage } from './review.tsx';
import { SeatsPage } from './seats.tsx';
import { SetupPage } from './setup.tsx';
import { TonightPage } from './tonight.tsx';
import { UploadsPage } from './uploads.tsx';
import { VenuePage } from './venue.tsx';

/**
 * A part of the menu: what an evening needs (`day`), what stands before the resources below *Setup*, and what stands after
 * them (`upkeep`).
 */
export type MenuPart = 'day' | 'setup' | 'upkeep';

/** A page of the administration that is not made from the API document. */
interface OwnPage {
  /** The part of the address after `/admin`; empty: the start page. */
  readonly name: string;
  readonly title: Text;
  readonly page: FunctionComponent<{ readonly query: URLSearchParams }>;
  /** Null: other pages lead to it. */
  readonly menu: MenuPart | null;
  /** The request that a key has to be allowed, for the page to be in the menu; null: any key has the page. */
  readonly needs: { readonly method: string; readonly path: string } | null;
}

/** All of them, in the order of the menu. The service knows their addresses, too (src/service/api/pages.ts). */
export const OWN_PAGES: readonly OwnPage[] = [
  { name: '', title: tonight.tonight, page: TonightPage, menu: 'day', needs: null },
  {
    name: 'check-in',
    title: desk.checkIn,
    page: CheckInPage,
    menu: 'day',
    needs: { method: 'POST', path: '/api/v1/check-ins' },
  },
  {
    name: 'seats',
    title: desk.seats,
    page: SeatsPage,
    menu: 'day',
    needs: { method: 'PUT', path: '/api/v1/rigs/{rigId}/seat' },
  },
  { name: 'review', title: say.review, page: ReviewPage, menu: 'day', needs: null },
  { name: 'night', title: tonight.newNight, page: NightPage, menu: null, needs: null },
  { name: 'overlay', title: overlay.builder, page: OverlayPage, menu: 'day', needs: null },
  {
    name: 'venue',
    title: tonight.venue,
    page: VenuePage,
    menu: 'setup',
    needs: { method: 'PATCH', path: '/api/v1/licenses/{licenseId}' },
  },
  { name: 'setup', title: say.start, page: SetupPage, menu: 'setup', needs: null },
  {
    name: 'catalogue',
    title: tonight.catalogue,
    page: CataloguePage,
    menu: 'setup',
    needs: { method: 'POST', path: '/api/v1/operations/starter-catalogue' },
  },
  {
    name: 'imports',
    title: imports.title,
    page: ImportsPage,
    menu: 'upkeep',
    needs: { method: 'POST', path: '/api/v1/events' },
  },
  {
    name: 'uploads',
    title: say.uploads,
    page: UploadsPage,
    menu: 'upkeep',
    needs: { method: 'GET', path: '/api/v1/cdn' },
  },
  {
    name: 'operations',
    title: say.operations,
    page: OperationsPage,
    menu: 'upkeep',
    needs: { method: 'GET', path: '/api/v1/operations/status' },
  },
];

/** The pages in a part of the menu, of those that the key may use. */
export function ownPagesIn(part: MenuPart, { mayCall }: Session): readonly OwnPage[] {
  return OWN_PAGES.filter(({ menu, needs }) => menu === part && (needs === null || mayCall(needs.method, needs.path)));
}
