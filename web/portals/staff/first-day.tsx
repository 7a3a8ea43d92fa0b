// A short guide for the first days, and whom to call.

import { Phone } from 'lucide-react';
import { useState } from 'react';
import { company } from '#company';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { serverNow } from '#web/lib/clock/server-now.ts';
import { cn } from '#web/lib/cn.ts';
import { useAuth } from '#web/lib/session/auth.ts';

const STEPS = [
  ['Before your shift', 'Look at My Shifts for the site and the hours, and tap Directions.'],
  [
    'At your post',
    'Open this page and tap Clock in. Allow your location: it shows that you are there.',
  ],
  [
    'When something happens',
    'Tap Report, take a photo and say what you saw. A weak signal is fine.',
  ],
  ['When you are relieved', 'Tap Clock out before you leave the post.'],
] as const;

/** The hotline as a link that calls it. */
export function CallHotline({ className }: { className?: string }) {
  return (
    <a
      href={`tel:${company.hotline.replaceAll(' ', '')}`}
      className={buttonStyles({
        variant: 'secondary',
        className: cn('whitespace-normal', className),
      })}
    >
      <Phone aria-hidden="true" className="size-4" /> Call {company.hotline}
    </a>
  );
}

export function GuideSteps() {
  return (
    <ol className="grid gap-4 sm:grid-cols-2">
      {STEPS.map(([title, text], index) => (
        <li key={title} className="grid grid-cols-[auto_1fr] gap-x-3">
          <span
            aria-hidden="true"
            className="grid size-7 place-items-center rounded-full bg-accent-fill/20 text-sm font-semibold text-accent"
          >
            {index + 1}
          </span>
          <span>
            <span className="block font-semibold">{title}</span>
            <span className="block text-sm text-pretty text-muted">{text}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

const SHOWN_FOR_MS = 14 * 24 * 3_600_000;
const keyOf = (userId: string) => `guide-read:${userId}`;

function wasRead(userId: string): boolean {
  try {
    return localStorage.getItem(keyOf(userId)) !== null;
  } catch {
    return false;
  }
}

/** During the first two weeks of an account, until the guard has read it. */
export function FirstDayCard() {
  const { user } = useAuth();
  const [isRead, setRead] = useState(() => user !== null && wasRead(user.id));
  if (!user || isRead || serverNow() - Date.parse(user.created_at) > SHOWN_FOR_MS) return null;
  function dismiss(userId: string) {
    setRead(true);
    try {
      localStorage.setItem(keyOf(userId), '');
    } catch {
      // Storage is blocked: it is shown again next time.
    }
  }
  return (
    <section aria-labelledby="first-day" className="mt-6">
      <Card className="p-5 sm:p-6">
        <h2 id="first-day" className="mb-4 font-display text-xl leading-tight">
          Your first days
        </h2>
        <GuideSteps />
        <p className="mt-5 text-sm">
          Not sure, or in danger? The control room answers day and night.
        </p>
        <div className="mt-3 flex flex-wrap gap-3">
          <CallHotline className="max-sm:flex-1" />
          <Button className="max-sm:flex-1" onClick={() => dismiss(user.id)}>
            Got it
          </Button>
        </div>
      </Card>
    </section>
  );
}
