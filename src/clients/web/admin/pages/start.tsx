import { t } from '../../shared/page.ts';
import * as say from '../../texts/admin.ts';
import { addressOf, Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { listed } from './listed.ts';

/** What there is to administrate, with what each is. */
export function StartPage() {
  const session = useSession();
  return (
    <section>
      <h1>{t(say.administration)}</h1>
      <p class="quiet">{t(say.startMeaning)}</p>
      <ul class="cards">
        {listed(session).map(({ name, path, title, description }) => (
          <li key={name}>
            <Link to={addressOf(`/${path.split('/').at(-1) ?? ''}`)}>
              <strong>{title}</strong>
            </Link>
            <p>{description}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
