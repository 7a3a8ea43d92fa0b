import { Link, useLocation } from '@tanstack/react-router';
import { ChevronDown, CircleQuestionMark } from 'lucide-react';
import { useId } from 'react';
import { company } from '#company';
import { CompanyMark } from '#web/assets/company-mark.tsx';
import { Tooltips } from '#web/components/ui/tooltips.tsx';
import { cn } from '#web/lib/cn.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { helpAddress } from '../help.ts';
import { type Entry, entriesFor, entryAt, type Section } from '../navigation.ts';
import { useFoldedSections } from './folded-sections.ts';
import { ScrollFade } from './scroll-fade.tsx';

type SidebarNavProps = {
  /** Icons only; screen readers still get the names. */
  narrow?: boolean;
  onNavigate?: () => void;
};

const entryStyles = (narrow = false) =>
  cn(
    'relative flex min-h-9 items-center gap-3 rounded-sm text-sm font-medium transition-colors hover:bg-sidebar-active max-md:min-h-11 pointer-coarse:min-h-11',
    // All entries of an administrator fit 800 px of height.
    'md:pointer-fine:[@media(60rem<=height<66rem)]:min-h-8 md:pointer-fine:[@media(54rem<=height<60rem)]:min-h-7 md:pointer-fine:[@media(height<54rem)]:min-h-6.25',
    'aria-[current]:bg-sidebar-active aria-[current]:text-white',
    narrow ? 'justify-center' : 'px-3',
  );

type EntryLinkProps = SidebarNavProps & {
  entry: Entry;
  /** Whether the open screen is a tab of it, or a page below one. */
  isOpen: boolean;
};

function EntryLink({ entry, isOpen, narrow, onNavigate }: EntryLinkProps) {
  const { Icon, Count, label, path } = entry;
  return (
    <Link
      to={path}
      data-tooltip={label}
      aria-current={isOpen ? 'true' : undefined}
      // The link itself sets aria-current="page" on its own address.
      activeOptions={{ exact: true, includeSearch: false }}
      onClick={onNavigate}
      className={entryStyles(narrow)}
    >
      <Icon aria-hidden="true" className="size-4.5 shrink-0 text-brass-400" />
      <span className={cn('truncate', narrow && 'sr-only')}>{label}</span>
      {Count && <Count narrow={narrow} />}
    </Link>
  );
}

/** The section of the guide for the open screen, in a new tab. */
function HelpLink({ narrow, onNavigate }: SidebarNavProps) {
  const pathname = useLocation({ select: (location) => location.pathname });
  return (
    <a
      href={helpAddress(pathname)}
      target="_blank"
      rel="noreferrer"
      data-tooltip="Help"
      onClick={onNavigate}
      className={entryStyles(narrow)}
    >
      <CircleQuestionMark aria-hidden="true" className="size-4.5 shrink-0 text-brass-400" />
      <span className={cn(narrow && 'sr-only')}>
        Help<span className="sr-only"> (opens in a new tab)</span>
      </span>
    </a>
  );
}

type EntriesProps = SidebarNavProps & { section: Section };

function Entries({ section, narrow, onNavigate }: EntriesProps) {
  const { folded, toggle } = useFoldedSections();
  const pathname = useLocation({ select: (location) => location.pathname });
  const id = useId();
  const { name, entries } = section;
  const isFolded = name !== undefined && !narrow && folded.includes(name);
  // The open screen stays visible in a folded section.
  const openEntry = entryAt(entries, pathname);
  const shown = isFolded ? entries.filter((entry) => entry === openEntry) : entries;
  return (
    <div className={cn(narrow && name && 'mt-1 border-t border-sidebar-active pt-1')}>
      {name && !narrow && (
        <button
          type="button"
          aria-expanded={!isFolded}
          aria-controls={id}
          onClick={() => toggle(name)}
          className="flex min-h-6 w-full items-center gap-2 rounded-xs px-3 text-xs text-sidebar-muted hover:text-sidebar-ink max-md:min-h-11 pointer-coarse:min-h-11"
        >
          {name}
          <span aria-hidden="true" className="h-px flex-1 bg-sidebar-active" />
          <ChevronDown
            aria-hidden="true"
            className={cn('size-3.5 transition-transform', isFolded && '-rotate-90')}
          />
        </button>
      )}
      <ul id={id}>
        {shown.map((entry) => (
          <li key={entry.id}>
            <EntryLink
              entry={entry}
              isOpen={entry === openEntry}
              narrow={narrow}
              onNavigate={onNavigate}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

export function SidebarNav({ narrow = false, onNavigate }: SidebarNavProps) {
  const { roles } = useAuth();
  return (
    <div className="sidebar-night flex h-full flex-col bg-sidebar text-sidebar-ink">
      <div
        className={cn('flex h-14 shrink-0 items-center gap-3', narrow ? 'justify-center' : 'px-4')}
      >
        <CompanyMark className="h-8 w-auto shrink-0" />
        <span className={cn('truncate font-display text-lg', narrow && 'sr-only')}>
          {company.shortName}
        </span>
      </div>
      {/* A classic scrollbar would leave 33 of the 48 px. */}
      <Tooltips enabled={narrow}>
        <ScrollFade className={cn(narrow && '[scrollbar-width:none]')}>
          <nav
            aria-label="Portal"
            className={cn(
              'grid gap-1 pb-2 md:pointer-fine:[@media(height<59rem)]:gap-0.5 md:pointer-fine:[@media(height<59rem)]:pb-1',
              narrow ? 'px-0.5' : 'px-2',
            )}
          >
            {entriesFor(roles).map((group) => (
              <section key={group.name} aria-label={group.name}>
                <p
                  aria-hidden="true"
                  className={cn(
                    'px-3 text-xs/5 font-semibold text-sidebar-ink',
                    narrow && 'hidden',
                  )}
                >
                  {group.name}
                </p>
                {group.sections.map((section) => (
                  <Entries
                    key={section.name ?? ''}
                    section={section}
                    narrow={narrow}
                    onNavigate={onNavigate}
                  />
                ))}
              </section>
            ))}
          </nav>
        </ScrollFade>
        {/* Beside the list, so that it is visible wherever the list is scrolled to. */}
        <div
          className={cn(
            'border-t border-sidebar-active py-1 md:pointer-fine:[@media(height<59rem)]:py-0',
            narrow ? 'px-0.5' : 'px-2',
          )}
        >
          <HelpLink narrow={narrow} onNavigate={onNavigate} />
        </div>
      </Tooltips>
    </div>
  );
}
