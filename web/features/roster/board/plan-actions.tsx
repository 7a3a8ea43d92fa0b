import { Redo2, Send, Undo2 } from 'lucide-react';
import { startTransition, useDeferredValue, useMemo, useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { DiscardDialog, PublishDialog } from './publish-dialog.tsx';
import type { Span } from './roster-api.ts';
import type { RosterSession } from './roster-session.ts';
import { useTopics } from './topics.ts';

function stateOf(changes: number, isPublished: boolean, isPartial: boolean) {
  if (changes === 0 && isPartial) return ['grey', 'No draft on these sites'] as const;
  if (changes === 0)
    return isPublished ? (['green', 'Published'] as const) : (['grey', 'No draft'] as const);
  if (!isPublished) return ['yellow', 'Draft'] as const;
  const noun = changes === 1 ? 'change' : 'changes';
  return ['orange', `${formatCount(changes)} ${noun} not published`] as const;
}

type PublishControlsProps = {
  session: RosterSession;
  span: Span;
  /** Other sites may have a draft as well, and are published too. */
  isPartial: boolean;
};

export function PublishControls({ session, span, isPartial }: PublishControlsProps) {
  const { store } = session;
  useTopics(session.topics, 'saving');
  const version = useDeferredValue(useTopics(store.topics, 'state\ntotals'));
  const [dialog, setDialog] = useState<'publish' | 'discard'>();
  const close = () => setDialog(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store changes with its version.
  const changes = useMemo(() => store.draft().length, [store, version]);
  const [tone, label] = stateOf(
    changes,
    store.periods.some(({ state, published_at }) => state === 'published' || published_at !== null),
    isPartial,
  );
  return (
    <div className="ml-auto flex flex-wrap items-center gap-2 print:hidden">
      <span role="status" className="flex items-center gap-2 text-sm">
        {store.pendingCount() > 0 && <span className="text-muted">Saving...</span>}
        <Badge tone={tone}>{label}</Badge>
      </span>
      <Button
        disabled={changes === 0 && !isPartial}
        onClick={() => startTransition(() => setDialog('publish'))}
      >
        <Send aria-hidden="true" className="size-4" />
        Publish
      </Button>
      {dialog === 'publish' && (
        <PublishDialog
          session={session}
          span={span}
          onDiscard={() => setDialog('discard')}
          onClose={close}
        />
      )}
      {dialog === 'discard' && (
        <DiscardDialog session={session} isPartial={isPartial} onClose={close} />
      )}
    </div>
  );
}

export function HistoryButtons({ session }: { session: RosterSession }) {
  useTopics(session.topics, 'history');
  const [undoable, redoable] = [session.nextUndo(), session.nextRedo()];
  return (
    <>
      <Button
        variant="secondary"
        size="icon"
        disabled={!undoable}
        aria-label={undoable ? `Undo: ${undoable}` : 'Undo'}
        title={undoable ? `Undo: ${undoable} (Ctrl+Z)` : 'Undo (Ctrl+Z)'}
        onClick={() => void session.undo()}
      >
        <Undo2 aria-hidden="true" className="size-4.5" />
      </Button>
      <Button
        variant="secondary"
        size="icon"
        disabled={!redoable}
        aria-label={redoable ? `Redo: ${redoable}` : 'Redo'}
        title={redoable ? `Redo: ${redoable} (Ctrl+Shift+Z)` : 'Redo (Ctrl+Shift+Z)'}
        onClick={() => void session.redo()}
      >
        <Redo2 aria-hidden="true" className="size-4.5" />
      </Button>
    </>
  );
}
