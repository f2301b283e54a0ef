import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Schemas } from '../shared/api.ts';
import { memo } from '../shared/hooks.ts';
import { logoPath } from '../shared/logo.ts';
import { t } from '../shared/page.ts';
import say from '../texts/board.json' with { type: 'json' };
import { logoScale, webAddress } from './brand.ts';

type Brand = Schemas['Brand'];

/** The least size of a line, of what it would be; a smaller one gets a place of its own, and then more lines. */
const LEAST_SIZE = 0.5;

/** A little smaller than what would just fit, because browsers round the widths of letters. */
const SAFETY = 0.98;

/** Makes a line of sponsors so small that it fits, whenever it, or the page, has another width. */
function useFitting(list: RefObject<HTMLUListElement | null>, brands: readonly Brand[]): void {
  useLayoutEffect(() => {
    const { current: element } = list;
    const footer = element?.parentElement;
    if (!element || !footer) return;
    const ratio = (): number => {
      element.style.fontSize = '';
      return Math.min(1, element.clientWidth / element.scrollWidth);
    };
    const fit = (): void => {
      footer.classList.remove('many', 'lines');
      if (ratio() < LEAST_SIZE) footer.classList.add('many');
      const size = ratio();
      if (size < LEAST_SIZE) footer.classList.add('lines');
      else if (size < 1) element.style.fontSize = `${(size * SAFETY).toFixed(3)}em`;
    };
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(document.documentElement);
    observer.observe(element);
    return () => observer.disconnect();
  }, [brands]);
}

export const Sponsors = memo(({ brands }: { readonly brands: readonly Brand[] }) => {
  const list = useRef<HTMLUListElement>(null);
  useFitting(list, brands);
  return brands.length === 0 ? null : (
    <footer class="sponsors">
      <h2 class="hidden-but-read">{t(say.sponsors)}</h2>
      <ul ref={list}>
        {brands.map((brand) => (
          <li key={brand.id}>
            <Sponsor brand={brand} />
          </li>
        ))}
      </ul>
    </footer>
  );
});

function Sponsor({ brand }: { readonly brand: Brand }) {
  const address = webAddress(brand.websiteUrl);
  if (address === null) return <Logo brand={brand} />;
  return (
    <a href={address} rel="noopener noreferrer" target="_blank">
      <Logo brand={brand} />
    </a>
  );
}

/** The logo if this service has it, else the name. */
function Logo({ brand }: { readonly brand: Brand }) {
  const [broken, setBroken] = useState(false);
  const path = logoPath(brand);
  if (path === null || broken) return <bdi class="name">{brand.name}</bdi>;
  const scale = logoScale(brand.logoScalePercent);
  // Its room is the same before it is loaded.
  const size = { width: `${7.5 * scale}em`, height: `${2.5 * scale}em` };
  return <img src={path} alt={brand.name} style={size} onError={() => setBroken(true)} />;
}
