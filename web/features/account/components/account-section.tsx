// One subject of the account: what it is on the left, what can be done on the right (below it on a phone).
import { type ReactNode, useId } from 'react';
import { Card } from '#web/components/ui/card.tsx';

type AccountSectionProps = { title: string; text: string; children: ReactNode };

export function AccountSection({ title, text, children }: AccountSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-12 gap-y-4 border-t border-line py-8 lg:grid-cols-[17rem_minmax(0,1fr)]"
    >
      <div>
        <h2 id={id} className="font-display text-xl leading-tight">
          {title}
        </h2>
        <p className="mt-1.5 text-sm text-pretty text-muted">{text}</p>
      </div>
      <Card className="min-w-0 p-5 sm:p-6">{children}</Card>
    </section>
  );
}
