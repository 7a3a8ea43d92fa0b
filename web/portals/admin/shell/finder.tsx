// Opens the command menu, by its button or Ctrl/Cmd+K, and knows which screen shows what it finds.
import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { maySee, type Role } from '#shared/permissions.ts';
import { LatePart } from '#web/components/layout/late-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import type { Found } from '#web/features/finder/api/find-records.ts';
import { lazily } from '#web/lib/lazily.tsx';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { entriesFor } from '../navigation.ts';

const FinderDialog = lazily(
  async () => (await import('#web/features/finder/components/finder-dialog.tsx')).FinderDialog,
);

/** Loads ahead, so that what is typed right after Ctrl+K reaches the menu. A failure shows when the menu opens. */
function prepare(): void {
  FinderDialog.load().catch((error: unknown) => console.warn('The menu is not loaded yet.', error));
}

/** @returns the address of the screen that shows the record, the best of those these roles may open */
function addressOf(roles: readonly Role[], { kind, id, title, detail }: Found) {
  const q = encodeURIComponent(title);
  if (kind === 'shift') return maySee(roles, 'shifts') ? `/admin/shifts?open=${id}` : undefined;
  if (kind === 'client') return maySee(roles, 'clients') ? `/admin/clients?q=${q}` : undefined;
  if (kind === 'site') {
    if (maySee(roles, 'sites')) return `/admin/sites?open=${id}`;
    return maySee(roles, 'shifts') ? `/admin/shifts?site=${id}` : undefined;
  }
  if (maySee(roles, 'users')) {
    return `/admin/users?q=${encodeURIComponent(detail ?? title)}&open=${id}`;
  }
  // People may have the same name: the id tells them apart.
  if (maySee(roles, 'shifts')) return `/admin/shifts?guard=${id}`;
  return maySee(roles, 'certifications') ? `/admin/certifications?person=${id}` : undefined;
}

export function Finder() {
  const [isOpen, setOpen] = useState(false);
  const { roles } = useAuth();
  const router = useRouter();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Control' || event.key === 'Meta') prepare();
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      // Going elsewhere would close an open dialog without asking.
      if (!document.querySelector('[role=dialog]')) setOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        title="Ctrl+K"
        aria-label="Go to"
        aria-keyshortcuts="Control+K Meta+K"
        className="shrink-0"
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => setOpen(true)}
      >
        <Search aria-hidden="true" className="size-5" />
      </Button>
      {isOpen && (
        <LatePart onClose={() => setOpen(false)}>
          <FinderDialog
            screens={entriesFor(roles).flatMap(({ entries }) => entries)}
            addressOf={(found) => addressOf(roles, found)}
            onGo={(address) => {
              setOpen(false);
              router.history.push(address);
            }}
            onClose={() => setOpen(false)}
          />
        </LatePart>
      )}
    </>
  );
}
