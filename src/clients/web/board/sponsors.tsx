import { useState } from 'preact/hooks';
import type { Schemas } from '../shared/api.ts';
import { memo } from '../shared/hooks.ts';
import { logoPath } from '../shared/logo.ts';
import { t } from '../shared/page.ts';
import say from '../texts/board.json' with { type: 'json' };
import { logoScale, webAddress } from './brand.ts';

type Brand = Schemas['Brand'];

export const Sponsors = memo(({ brands }: { readonly brands: readonly Brand[] }) =>
  brands.length === 0 ? null : (
    <footer class="sponsors">
      <h2 class="hidden-but-read">{t(say.sponsors)}</h2>
      <ul>
        {brands.map((brand) => (
          <li key={brand.id}>
            <Sponsor brand={brand} />
          </li>
        ))}
      </ul>
    </footer>
  ),
);

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
