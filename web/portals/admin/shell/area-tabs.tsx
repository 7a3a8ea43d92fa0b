import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useAuth } from '#web/lib/session/auth.ts';
import { tabsAt } from '../navigation.ts';

/** The screens of the open area, above the one that is shown. */
export function AreaTabs() {
  const { roles } = useAuth();
  const pathname = useLocation({ select: (location) => location.pathname });
  const list = useRef<HTMLUListElement>(null);
  const area = tabsAt(roles, pathname);
  // On a phone the row scrolls: the open tab is brought into view, the page stays where it is.
  useEffect(() => {
    const row = list.current;
    const open = row?.querySelector<HTMLElement>(`a[href="${pathname.replace(/\/+$/, '')}"]`);
    if (row && open) row.scrollLeft = open.offsetLeft - (row.clientWidth - open.offsetWidth) / 2;
  }, [pathname]);
  if (!area) return null;
  return (
    <nav
      aria-label={area.name}
      className="-mt-5 mb-6 border-b border-line sm:-mt-4 compact:-mt-3 compact:mb-4 print:hidden"
    >
      <ul
        ref={list}
        className="relative -mb-px flex overflow-x-auto [scrollbar-width:none] max-sm:-mx-4 max-sm:px-1"
      >
        {area.tabs.map(({ path, label, Count }) => (
          <li key={path} className="shrink-0">
            <Link
              to={path}
              activeOptions={{ exact: true, includeSearch: false }}
              className="flex min-h-11 items-center gap-2 border-b-2 border-transparent px-3 text-sm font-semibold whitespace-nowrap text-muted transition-colors hover:text-ink focus-visible:-outline-offset-3 aria-[current]:border-accent-fill aria-[current]:text-ink compact:lg:min-h-9"
            >
              {label}
              {Count && <Count />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
