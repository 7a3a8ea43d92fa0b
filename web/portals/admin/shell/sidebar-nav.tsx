import { Link } from '@tanstack/react-router';
import { company } from '#company';
import { CompanyMark } from '#web/assets/company-mark.tsx';
import { Tooltip } from '#web/components/ui/tooltip.tsx';
import { cn } from '#web/lib/cn.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { type Entry, entriesFor } from '../navigation.ts';

type SidebarNavProps = {
  /** Icons only; screen readers still get the names. */
  narrow?: boolean;
  onNavigate?: () => void;
};

function EntryLink({ entry, narrow, onNavigate }: SidebarNavProps & { entry: Entry }) {
  const { Icon, Count, label, path } = entry;
  return (
    <Tooltip text={label} enabled={narrow === true}>
      <Link
        to={path}
        activeOptions={{ exact: 'exact' in entry, includeSearch: false }}
        onClick={onNavigate}
        className={cn(
          'relative flex min-h-11 items-center gap-3 rounded-sm text-sm font-medium transition-colors hover:bg-sidebar-active',
          'data-[status=active]:bg-sidebar-active data-[status=active]:text-white',
          narrow ? 'justify-center' : 'px-3',
        )}
      >
        <Icon aria-hidden="true" className="size-5 shrink-0 text-brass-400" />
        <span className={cn('truncate', narrow && 'sr-only')}>{label}</span>
        {Count && <Count narrow={narrow} />}
      </Link>
    </Tooltip>
  );
}

export function SidebarNav({ narrow = false, onNavigate }: SidebarNavProps) {
  const { roles } = useAuth();
  return (
    <div
      className={cn(
        'sidebar-night flex h-full flex-col overflow-x-hidden overflow-y-auto bg-sidebar text-sidebar-ink',
        // A classic scrollbar would leave 33 of the 48 px.
        narrow && '[scrollbar-width:none]',
      )}
    >
      <div
        className={cn('flex h-16 shrink-0 items-center gap-3', narrow ? 'justify-center' : 'px-4')}
      >
        <CompanyMark className="h-9 w-auto shrink-0" />
        <span className={cn('truncate font-display text-lg', narrow && 'sr-only')}>
          {company.shortName}
        </span>
      </div>
      <nav aria-label="Portal" className={cn('grid gap-6 pt-3 pb-6', narrow ? 'px-0.5' : 'px-2')}>
        {entriesFor(roles).map((group) => (
          <section key={group.name} aria-label={group.name}>
            <p
              aria-hidden="true"
              className={cn('mb-1.5 px-3 text-[0.8125rem] text-sidebar-muted', narrow && 'hidden')}
            >
              {group.name}
            </p>
            <ul className="grid gap-0.5">
              {group.entries.map((entry) => (
                <li key={entry.id}>
                  <EntryLink entry={entry} narrow={narrow} onNavigate={onNavigate} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </div>
  );
}
