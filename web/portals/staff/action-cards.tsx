// The action cards: each opens its dialog, which is loaded then.
import { useState } from 'react';
import { LatePart } from '#web/components/layout/late-part.tsx';
import { Opening } from '#web/components/ui/opening.tsx';
import { ACTIONS, type Action } from './actions.ts';

export function ActionCards() {
  const [open, setOpen] = useState<Action>();
  return (
    <>
      <ul className="mt-4 grid gap-3 sm:grid-cols-3 sm:gap-4">
        {ACTIONS.map((action) => (
          <li key={action.title}>
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => setOpen(action)}
              className="flex h-full min-h-20 w-full items-center gap-4 rounded-sm border border-line bg-raised p-4 text-left shadow-panel transition-[border-color] hover:border-accent-fill sm:flex-col sm:items-start sm:p-5"
            >
              <span className="grid size-12 shrink-0 place-items-center rounded-full bg-accent-fill/15">
                <action.Icon aria-hidden="true" className="size-6 text-accent" />
              </span>
              <span>
                <span className="block font-display text-xl leading-tight">{action.title}</span>
                <span className="mt-1 block text-sm text-muted">{action.text}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {open && (
        <LatePart
          key={open.title}
          fallback={<Opening title={open.title} />}
          onClose={() => setOpen(undefined)}
        >
          <open.Dialog onClose={() => setOpen(undefined)} />
        </LatePart>
      )}
    </>
  );
}
