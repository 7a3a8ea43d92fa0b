import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { Role } from '#shared/grants.ts';
import { maySee, maySeeClients, maySeePeople, maySeeSites } from '#shared/screens.ts';
import { useSave } from '#web/components/form/use-save.ts';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import type { Found } from '#web/features/platform/finder/api.ts';
import type { FinderProps } from '#web/features/platform/finder/finder-dialog.tsx';
import { lazily } from '#web/lib/render/lazily.tsx';
import { useAuth } from '#web/lib/session/auth.ts';
import { countUse, readUse } from '#web/lib/session/finder-use.ts';
import { addressOfView, useOpenView, useSavedViews } from '#web/lib/views/saved-views.ts';
import { commandsFor, otherWordsOf, searchedLists } from '../commands.ts';
import { GUIDE, helpAddress } from '../help.ts';
import { entriesFor, mayOpen } from '../navigation.ts';

const FinderDialog = lazily(
  async () => (await import('#web/features/platform/finder/finder-dialog.tsx')).FinderDialog,
);

/** Preloads the menu. A failure shows when it opens. */
function preload(): void {
  FinderDialog.load().catch((error: unknown) =>
    console.warn('The command menu could not be preloaded.', error),
  );
}

/** The page of a record by its kind, and who may open it. */
const PAGES: Readonly<
  Record<string, readonly [path: string, mayOpen: (roles: readonly Role[]) => boolean]>
> = {
  client: ['/admin/clients/', maySeeClients],
  contact: ['/admin/clients/', maySeeClients],
  contract: ['/admin/contracts/', (roles) => maySee(roles, 'contracts')],
  enquiry: ['/admin/enquiries?open=', (roles) => maySee(roles, 'enquiries')],
  guard: ['/admin/people/', maySeePeople],
  incident: ['/admin/incidents?open=', (roles) => maySee(roles, 'incidents')],
  invoice: ['/admin/invoices/', (roles) => maySee(roles, 'invoices')],
  orders: ['/admin/roster/posts/orders?open=', (roles) => mayOpen(roles, '/admin/roster/posts')],
  post: ['/admin/roster/posts?open=', (roles) => mayOpen(roles, '/admin/roster/posts')],
  quote: ['/admin/enquiries/quotes/', (roles) => maySee(roles, 'enquiries')],
  shift: ['/admin/shifts?open=', (roles) => maySee(roles, 'shifts')],
  site: ['/admin/sites/', maySeeSites],
};

/** @returns the page of the record, if these roles may open it */
function addressOf(roles: readonly Role[], { kind, id }: Found) {
  const [path, isAllowed] = PAGES[kind] ?? [];
  return path !== undefined && isAllowed?.(roles) ? `${path}${id}` : undefined;
}

type OpenFinderProps = Pick<FinderProps, 'text' | 'onTextChange' | 'onClose'>;

function OpenFinder({ text, onTextChange, onClose }: OpenFinderProps) {
  const { roles, user } = useAuth();
  const router = useRouter();
  const openView = useOpenView();
  const { save } = useSave();
  const { data: views = [] } = useSavedViews();
  const entries = entriesFor(roles).flatMap((group) => group.entries);
  const labels = new Map(
    entries.flatMap(({ path, label, tabs }) => [
      ...tabs.map((tab) => [tab.path, tab.name] as const),
      [path, label] as const,
    ]),
  );
  const kept = views
    .filter(({ list }) => mayOpen(roles, list))
    // Two views may have one address.
    .map((view) => ({ view, path: `${addressOfView(view)}#${view.id}` }));

  function go(address: string) {
    onClose();
    if (user) countUse(user.id, address);
    const found = kept.find(({ path }) => path === address);
    if (found) void save(() => openView(found.view));
    // The guide is no screen of the app.
    else if (address.startsWith(GUIDE)) window.open(address, '_blank', 'noreferrer');
    else router.history.push(address);
  }
  return (
    <FinderDialog
      text={text}
      onTextChange={onTextChange}
      screens={entries.map(({ path, label, Icon }) => ({
        path,
        label,
        Icon,
        ...otherWordsOf(path),
      }))}
      lists={searchedLists(roles)}
      use={user ? readUse(user.id) : new Map()}
      commands={[
        ...kept.map(({ view, path }) => ({
          path,
          label: [view.name, labels.get(view.list)].filter(Boolean).join(' · '),
          words: 'saved view',
          isAction: false,
        })),
        ...commandsFor(roles),
        { path: helpAddress(router.state.location.pathname), label: 'Help', isAction: false },
      ]}
      addressOf={(found) => addressOf(roles, found)}
      onGo={go}
      onClose={onClose}
    />
  );
}

const hasDialogFocus = () => document.activeElement?.closest('[role=dialog]') != null;

/** The button of the command menu, also opened by Ctrl/Cmd+K. Keys typed before the menu has loaded are collected. */
export function Finder() {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const open = useCallback(() => {
    setText('');
    setOpen(true);
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Control' || event.key === 'Meta') preload();
      const isCommand = event.ctrlKey || event.metaKey;
      if (isOpen && !isCommand && !hasDialogFocus()) {
        // Enter would press the button behind the menu.
        if (event.key === 'Enter') event.preventDefault();
        if (event.key.length === 1) {
          event.preventDefault();
          setText((typed) => typed + event.key);
          return;
        }
      }
      if (event.key.toLowerCase() !== 'k' || !isCommand) return;
      event.preventDefault();
      // Navigating would close an open dialog without asking.
      if (!document.querySelector('[role=dialog]')) open();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOpen, open]);
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        title="Ctrl+K"
        aria-label="Go to"
        aria-keyshortcuts="Control+K Meta+K"
        className="shrink-0"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={open}
      >
        <Search aria-hidden="true" className="size-5" />
      </Button>
      {isOpen && (
        <LazyPart onClose={() => setOpen(false)}>
          <OpenFinder text={text} onTextChange={setText} onClose={() => setOpen(false)} />
        </LazyPart>
      )}
    </>
  );
}
