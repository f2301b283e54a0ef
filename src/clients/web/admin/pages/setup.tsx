import { t } from '../../shared/page.ts';
import say from '../../texts/admin.json' with { type: 'json' };
import tonight from '../../texts/tonight.json' with { type: 'json' };
import { addressOf, Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { setupResources } from './setup-order.ts';

/** What a venue sets up once: all resources, in the order in which they are needed. */
export function SetupPage() {
  const session = useSession();
  return (
    <section>
      <h1>{t(tonight.setup)}</h1>
      <p class="quiet">{t(say.startMeaning)}</p>
      <ul class="cards">
        {setupResources(session).map(({ name, nameInPath, title, description }) => (
          <li key={name}>
            <Link to={addressOf(`/${nameInPath}`)}>
              <strong>{title}</strong>
            </Link>
            <p>{description}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
